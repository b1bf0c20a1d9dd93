# SPDX-License-Identifier: Apache-2.0
"""Packages from npm as their users have them, inside: MongoDB's driver by endpoints, and WebSockets by the proxy of the environment."""

import json
import os
import socket
import ssl
import sys
import time
import unittest

import product
from product import each_person

from rig import client, names, npm_clients, sites

SRV, TXT = 33, 16
MEMBERS = ("m0.ab.test:27017", "m1.ab.test:27018")
CLUSTER, OTHER_CLUSTER, ADDRESS = "cluster0.ab.test", "cluster1.ab.test", "93.184.215.96"
SOON = "&serverSelectionTimeoutMS=1000"  # a driver asks again and again, for half a minute
STAND_IN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mongodb_stand_in.py")


class PackageTest(product.ProductTest):
    needs = ("npm_clients",)

    def inside(self, script, grants, *arguments):
        """Runs a script of node's with the packages; node's trust in the rig's authority is the rig's to arrange."""
        self.place.write("work/script.js", script)
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{npm_clients.MODULES}"]\n'
                               f'[env]\nset = {{ NODE_EXTRA_CA_CERTS = "{client.TRUST_FILE}" }}\n{grants}\n')
        done = self.place.run("--spec", spec, "--yes", "--", "node", "script.js", npm_clients.MODULES, *arguments)
        self.assert_done(done)
        return done.stdout.splitlines()


class MongoDb(PackageTest):
    # One line for each address: what a find gives, or that there was no server.
    SCRIPT = """
const [packages, ...places] = process.argv.slice(2);
const {MongoClient} = require(packages + '/mongodb');
(async () => {
  for (const place of places) {
    const client = new MongoClient(place);
    try {
      await client.connect();
      const pong = await client.db('shop').command({ping: 1});
      const found = await client.db('shop').collection('things').find({}).toArray();
      console.log(pong.ok, found.length, found[0].text);
    } catch (error) {
      const servers = error.reason?.servers ?? new Map();
      console.log(error.name, error.code ?? [...servers.values()].map((one) => one.error?.cause?.code ?? one.error?.message).join());
    } finally {
      await client.close();
    }
  }
})();
"""
    serves = False

    def setUp(self):
        super().setUp()
        if not MongoDb.serves:  # one for all tests here: it ends with the rig
            pem = self.net.issue(["m0.ab.test", "m1.ab.test"])
            self.net.start([sys.executable, "-B", STAND_IN, ADDRESS, pem, *MEMBERS])
            self.wait_for_stand_in()
            MongoDb.serves = True
        self.net.reset()
        for member in MEMBERS:
            self.net.set_name(member.partition(":")[0], [ADDRESS])
        for cluster in (CLUSTER, OTHER_CLUSTER):
            self.net.set_records("_mongodb._tcp." + cluster, SRV, [names.srv_data(name, int(port)) for name, _, port in
                                                                   (member.partition(":") for member in MEMBERS)])
            self.net.set_records(cluster, TXT, [names.txt_data("replicaSet=rs0")])

    def wait_for_stand_in(self):
        """Until it shakes hands by TLS, which the rig's echo doesn't that has the port before."""
        end = time.monotonic() + product.RUN_TIMEOUT_S
        for member in MEMBERS:
            name, _, port = member.partition(":")
            while True:
                try:
                    with socket.create_connection((ADDRESS, int(port)), 5) as stream:
                        ssl.create_default_context().wrap_socket(stream, server_hostname=name).close()
                    break
                except OSError:
                    if time.monotonic() > end:
                        raise

    def answers(self, endpoints, *places):
        return self.inside(self.SCRIPT, f"[tcp]\nendpoints = {json.dumps(endpoints)}", *places)

    @each_person
    def test_a_server_is_reached_by_its_name_and_port_and_by_no_other(self):
        place = "mongodb://{}/?tls=true&directConnection=true"
        allowed, name, port = (place.format(one) for one in ("m0.ab.test:27017", "other.test:27017", "m0.ab.test:27018"))
        said = self.answers(["m0.ab.test:27017"], allowed, name + SOON, port + SOON)
        self.assertEqual(said[:2], ["1 1 from m0.ab.test:27017", "MongoServerSelectionError EAI_AGAIN"])
        self.assertIn(said[2], ("MongoServerSelectionError ECONNREFUSED", "MongoServerSelectionError ECONNRESET"))
        self.assertEqual({one["name"] for one in self.net.queries()}, {"m0.ab.test"})
        self.assertEqual(self.answers(["m0.ab.test:27018"], port), ["1 1 from m1.ab.test:27018"])

    @each_person
    def test_the_servers_that_a_name_gives_by_srv_are_reached_and_those_of_another_name_are_not(self):
        first, second, other = (f"mongodb+srv://{place}" for place in (CLUSTER, CLUSTER + "/?readPreference=secondary", OTHER_CLUSTER))
        said = self.answers([first], first, second, other)
        self.assertEqual(said, ["1 1 from m0.ab.test:27017", "1 1 from m1.ab.test:27018", "Error EREFUSED"])
        asked = {(one["name"], one["type"]) for one in self.net.queries()}
        members = {(member.partition(":")[0], kind) for member in MEMBERS for kind in ("A", "AAAA")}
        self.assertEqual(asked, {("_mongodb._tcp." + CLUSTER, "SRV"), (CLUSTER, "TXT")} | members)
        self.assertEqual(self.answers([other], other), ["1 1 from m0.ab.test:27017"])


class WebSockets(PackageTest):
    SCRIPT = """
const [packages, ...places] = process.argv.slice(2);
const WebSocket = require(packages + '/ws');
const {HttpProxyAgent} = require(packages + '/http-proxy-agent');
const {HttpsProxyAgent} = require(packages + '/https-proxy-agent');
const agents = {http: () => new HttpProxyAgent(process.env.HTTP_PROXY), https: () => new HttpsProxyAgent(process.env.HTTPS_PROXY)};
(async () => {
  for (const place of places) {
    const [agent, url] = place.split(' ');
    const socket = new WebSocket(url, {agent: agents[agent]()});
    await new Promise((done) => {
      const text = 'x'.repeat(200000);
      socket.on('open', () => { socket.send('ping'); socket.send(text); });
      let echoes = 0;
      socket.on('message', (data) => {
        echoes += data.toString() === (echoes ? text : 'ping');
        if (echoes == 2) socket.close(1000, 'enough');
      });
      socket.on('error', (error) => console.log(error.message));
      socket.on('close', (code, reason) => { console.log(echoes, code, reason.toString()); done(); });
    });
  }
})();
"""

    def said(self, hosts, *places):
        return self.inside(self.SCRIPT, f"[network]\nhosts = {json.dumps(hosts)}", *places)

    @each_person
    def test_a_listed_hosts_websocket_carries_messages_by_the_proxy_and_by_a_tunnel_and_no_other_hosts(self):
        ways = ("http ws://{}/", "https wss://{}/", "https ws://{}/")
        self.assertEqual(self.said([sites.CHAT], *(way.format(sites.CHAT) for way in ways)), ["2 1000 enough"] * 3)
        switches = [(one["tls"], one["port"], one["method"]) for one in self.net.requests(sites.CHAT)]
        self.assertEqual(switches, [(False, 80, "GET"), (True, 443, "GET"), (False, 80, "GET")])
        self.net.reset()
        said = self.said([sites.CHAT], *(way.format("other.test") for way in ways))
        self.assertEqual(said, ["Unexpected server response: 403", "0 1006 "] * 3)
        self.assertEqual((self.net.queries(), self.net.connections()), ([], []))


if __name__ == "__main__":
    unittest.main()
