package main

import (
	"net"
	"testing"
)

// A server that other machines can reach prints a warning.
func TestExposure(t *testing.T) {
	for address, exposed := range map[string]bool{"127.0.0.1": false, "::1": false, "0.0.0.0": true, "::": true,
		"192.0.2.1": true} {
		if got := exposure(&net.TCPAddr{IP: net.ParseIP(address), Port: 8000}); got != "" != exposed {
			t.Errorf("%s: %q", address, got)
		}
	}
}
