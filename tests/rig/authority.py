# SPDX-License-Identifier: Apache-2.0
"""A certificate authority of the rig's own, made by openssl, and put into the machine's trust store.

Where clients look: OpenSSL, curl, git and Python's ssl read /etc/ssl/certs, both the file and the hashed folder, and are
served by it. Node reads a store of its own and needs NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt. Java reads
cacerts and Chromium an NSS database: neither is arranged here.
"""

import os
import subprocess

STORE_DIR = "/etc/ssl/certs"
STORE_FILE = "/etc/ssl/certs/ca-certificates.crt"
EC_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def _openssl(*arguments):
    done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


class Authority:
    """One root key; each leaf is a file that holds the key and the certificate."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.key = os.path.join(folder, "authority.key")
        self.certificate = os.path.join(folder, "authority.crt")
        self._serial = 0
        _openssl("req", "-x509", *EC_KEY, "-keyout", self.key, "-out", self.certificate, "-days", "30",
                 "-subj", "/CN=rig authority", "-addext", "basicConstraints=critical,CA:TRUE",
                 "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def trust(self):
        """Adds the authority to the stores below /etc, which must be the rig's own copy."""
        with open(self.certificate, encoding="ascii") as file:
            text = file.read()
        os.makedirs(STORE_DIR, exist_ok=True)
        with open(STORE_FILE, "a", encoding="ascii") as file:
            file.write(text)
        hashed = _openssl("x509", "-in", self.certificate, "-noout", "-subject_hash").strip()
        with open(os.path.join(STORE_DIR, hashed + ".0"), "w", encoding="ascii") as file:
            file.write(text)

    def issue(self, names, days=30):
        """A leaf for these names. `days` may be negative: a certificate that has run out."""
        self._serial += 1
        leaf = os.path.join(self.folder, f"leaf-{self._serial}")
        with open(leaf + ".ext", "w", encoding="ascii") as file:
            file.write("subjectAltName=" + ",".join(_san(name) for name in names) + "\nbasicConstraints=CA:FALSE\n"
                       "extendedKeyUsage=serverAuth\n")
        _openssl("req", "-new", *EC_KEY, "-keyout", leaf + ".key", "-out", leaf + ".csr", "-subj", "/CN=rig server")
        _openssl("x509", "-req", "-in", leaf + ".csr", "-CA", self.certificate, "-CAkey", self.key, "-days", str(days),
                 "-set_serial", str(0x1000 + self._serial), "-extfile", leaf + ".ext", "-out", leaf + ".crt")
        with open(leaf + ".pem", "w", encoding="ascii") as whole:
            for part in (".key", ".crt"):
                with open(leaf + part, encoding="ascii") as file:
                    whole.write(file.read())
        return leaf + ".pem"


def _san(name):
    return ("IP:" if name.replace(".", "").isdigit() or ":" in name else "DNS:") + name
