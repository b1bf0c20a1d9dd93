// SPDX-License-Identifier: Apache-2.0

// A client in Go with nothing but its standard library's defaults.
//
//	ask get URL…             prints what each is answered with, by net/http's own client
//	ask shake ADDRESS NAME   shakes hands by crypto/tls with that server name; with none where it is empty
package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
)

func get(url string) {
	reply, err := http.Get(url)
	if err != nil {
		fmt.Println("failed:", err)
		return
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	fmt.Print(reply.StatusCode, " ", string(text))
	if err != nil {
		fmt.Println("failed:", err)
	}
}

func shake(address, name string) {
	// Without a name there is nothing to check a certificate against.
	stream, err := tls.Dial("tcp", address, &tls.Config{ServerName: name, InsecureSkipVerify: name == ""})
	if err != nil {
		fmt.Println("failed:", err)
		return
	}
	fmt.Println("shaken")
	stream.Close()
}

func main() {
	if os.Args[1] == "shake" {
		shake(os.Args[2], os.Args[3])
		return
	}
	for _, url := range os.Args[2:] {
		get(url)
	}
}
