# SPDX-License-Identifier: Apache-2.0
"""Endpoints as people use them: a database's client, ssh and git over ssh, to the servers themselves, by name."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

import product
from product import each_person

from rig import capability, client, npm_clients

SERVER, ADDRESS = "server.test", "93.184.215.95"
POSTGRES_PORT, SSH_PORT = 5433, 2222


def waits_for(port):
    """Until the server listens."""
    end = time.monotonic() + product.RUN_TIMEOUT_S
    while True:
        try:
            return socket.create_connection((ADDRESS, port), 1).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


class ClientTest(product.ProductTest):
    def setUp(self):
        super().setUp()
        self.net.set_name(SERVER, [ADDRESS])
        self.owner = client.people()[1]  # both servers want an ordinary user
        self.folder = tempfile.mkdtemp(prefix="server-", dir=self.owner.home)
        self.owner.give(self.folder)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def as_owner(self, *argv, **more):
        done = subprocess.run([*self.owner.prefix, *argv], env=self.owner.environment(), capture_output=True, text=True, cwd=self.folder,
                              timeout=product.RUN_TIMEOUT_S, check=False, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def inside(self, script, port, read=()):
        listed = ", ".join(f'"{path}"' for path in read)
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = [{listed}]\n[tcp]\nendpoints = ["{SERVER}:{port}"]\n')
        return self.place.shell(script, "--spec", spec, "--yes")


class Postgres(ClientTest):
    needs = ("postgres",)
    serves = False

    def setUp(self):
        super().setUp()
        if not Postgres.serves:  # one for all tests here: it ends with the rig
            data = tempfile.mkdtemp(prefix="data-", dir=self.owner.home)
            self.owner.give(data)
            self.as_owner(capability.postgres("initdb"), "-D", data, "-A", "trust", "-U", "rig", "-N", "--locale=C", "-E", "UTF8")
            self.as_owner("sh", "-c", f"echo 'host all all 0.0.0.0/0 trust' >{data}/pg_hba.conf")
            self.net.start([*self.owner.prefix, capability.postgres("postgres"), "-D", data, "-h", "*", "-p", str(POSTGRES_PORT),
                            "-c", "unix_socket_directories=", "-c", "fsync=off"])
            waits_for(POSTGRES_PORT)
            self.net.reset()
            self.net.set_name(SERVER, [ADDRESS])
            Postgres.serves = True

    @each_person
    def test_psql_asks_a_database_by_its_name_and_no_other(self):
        ask = "psql -X -At 'postgresql://rig@{}:%d/postgres' -c 'select 6*7' -c \"select length(repeat('x', 3000000))\"" % POSTGRES_PORT
        self.assert_started(self.inside(ask.format(SERVER), POSTGRES_PORT), "42\n3000000\n")
        self.assertEqual({one["name"] for one in self.net.queries()}, {SERVER})
        self.net.reset()
        self.net.set_name(SERVER, [ADDRESS])
        done = self.inside(ask.format("other.test") + " || echo refused", POSTGRES_PORT)
        self.assert_started(done, "refused\n")
        self.assertEqual(self.net.queries(), [])

    @each_person
    def test_npms_driver_asks_a_database_by_its_name_and_no_other(self):
        capability.need("npm_clients")
        self.place.write("work/ask.js", """
const {Client} = require(process.argv[2] + '/pg');
(async () => {
  for (const host of process.argv.slice(3)) {
    const client = new Client({host, port: %d, user: 'rig', database: 'postgres'});
    try {
      await client.connect();
      const found = await client.query("select 6*7 as number, repeat('x', 3000000) as text, $1::text as told", [host]);
      console.log(found.rows[0].number, found.rows[0].text.length, found.rows[0].told);
      await client.end();
    } catch (error) {
      console.log('refused', error.syscall, error.hostname);
    }
  }
})();
""" % POSTGRES_PORT)
        done = self.inside(f"node ask.js {npm_clients.MODULES} {SERVER} other.test", POSTGRES_PORT, [npm_clients.MODULES])
        self.assert_started(done, f"42 3000000 {SERVER}\nrefused getaddrinfo other.test\n")
        self.assertEqual({one["name"] for one in self.net.queries()}, {SERVER})

    @each_person
    def test_much_goes_both_ways(self):
        copy = f"psql -X -At -h {SERVER} -p {POSTGRES_PORT} -U rig postgres"
        script = (f"seq 300000 >numbers; {copy} -q -c 'create temp table t (n int)' -c '\\copy t from numbers' -c '\\copy t to back' && "
                  "cmp numbers back && echo same")
        self.assert_started(self.inside(script, POSTGRES_PORT), "same\n")


class Ssh(ClientTest):
    needs = ("sshd",)
    serves = None  # the folder of the one server for all tests here

    def setUp(self):
        super().setUp()
        if Ssh.serves is None:
            folder = tempfile.mkdtemp(prefix="ssh-", dir=self.owner.home)
            self.owner.give(folder)
            for key in ("host", "key"):
                self.as_owner("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(folder, key))
            # To the end of its arguments: no file of the machine's own settings.
            self.net.start([*self.owner.prefix, capability.SSHD, "-D", "-f", "/dev/null", "-h", folder + "/host", "-p", str(SSH_PORT),
                            "-o", f"AuthorizedKeysFile={folder}/key.pub", "-o", "StrictModes=no", "-o", "UsePAM=no", "-o", "PidFile=none"])
            waits_for(SSH_PORT)
            Ssh.serves = folder
        self.net.reset()
        self.net.set_name(SERVER, [ADDRESS])

    def command(self):
        """ssh with the key in the work folder of who runs the product."""
        shutil.copy(os.path.join(Ssh.serves, "key"), self.place.work)
        os.chmod(os.path.join(self.place.work, "key"), 0o600)
        self.place.give_all(self.place.work)
        return f"ssh -F none -i key -p {SSH_PORT} -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=known -o LogLevel=ERROR"

    @each_person
    def test_ssh_reaches_its_server_by_name_and_no_other(self):
        ssh = self.command()
        done = self.inside(f"{ssh} {self.owner.name}@{SERVER} 'echo from $SSH_CONNECTION | cut -d\" \" -f1'; "
                           f"{ssh} {self.owner.name}@other.test true || echo refused; head -c 3000000 /dev/zero >zeros; "
                           f"{ssh} {self.owner.name}@{SERVER} wc -c <zeros", SSH_PORT)
        self.assert_started(done, "from\nrefused\n3000000\n")
        self.assertEqual({one["name"] for one in self.net.queries()}, {SERVER})

    @each_person
    def test_git_clones_and_pushes_over_ssh(self):
        self.as_owner("git", "init", "-q", "--bare", "-b", "main", "project.git")
        url = f"ssh://{self.owner.name}@{SERVER}:{SSH_PORT}{self.folder}/project.git"
        script = (f"export GIT_SSH_COMMAND='{self.command()}'; mkdir made && cd made && cp ../key . && git init -q -b main && "
                  f"git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first && git push -q {url} main && "
                  f"git clone -q {url} clone && git -C clone log --format=%s")
        done = self.inside(script, SSH_PORT)
        self.assert_started(done, "first\n")
        self.assertEqual(self.as_owner("git", "--git-dir", "project.git", "log", "--format=%s", "main"), "first\n")


if __name__ == "__main__":
    unittest.main()
