package allow_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/call/allow"
)

func netRules(t *testing.T, allowed, denied string) *allow.Rules {
	t.Helper()
	var c allow.Config
	set := func(text string) allow.Entries {
		switch text {
		case "":
			return allow.Entries{}
		case "*":
			return allow.Entries{All: true}
		}
		return allow.Entries{List: strings.Split(text, ",")}
	}
	c.Allow[allow.Net], c.Deny[allow.Net] = set(allowed), set(denied)
	r, err := allow.New(c)
	require.NoError(t, err)
	return r
}

// decide is what becomes of a host that turns out to have an address.
func decide(r *allow.Rules, host, addr string, port uint16) error {
	if err := r.Host(host, port); err != nil {
		return err
	}
	return r.Addr(host, netip.AddrPortFrom(netip.MustParseAddr(addr), port))
}

func TestNet(t *testing.T) {
	const public, public6 = "93.184.215.14", "2606:2800:21f:cb07::1"
	for _, c := range []struct {
		allow, deny, host, addr string
		port                    uint16
		ok                      bool
	}{
		// nothing, everything, names, ports
		{"", "", "example.com", public, 443, false},
		{"*", "", "example.com", public, 443, true},
		{"*", "", "example.com", public6, 443, true},
		{"*", "", public, public, 80, true},
		{"example.com", "", "example.com", public, 443, true},
		{"example.com", "", "example.com", public, 8443, true},
		{"example.com:443", "", "example.com", public, 443, true},
		{"example.com:443", "", "example.com", public, 80, false},
		{"example.com", "", "api.example.com", public, 443, false},
		{"example.com", "", "example.com.evil.org", public, 443, false},
		{"example.com", "", "notexample.com", public, 443, false},
		{"Example.COM.", "", "example.com", public, 443, true},
		{"*.example.com", "", "api.example.com", public, 443, true},
		{"*.example.com", "", "a.b.example.com", public, 443, true},
		{"*.example.com", "", "example.com", public, 443, false},
		{"*.example.com", "", "badexample.com", public, 443, false},
		{"*.example.com:443", "", "api.example.com", public, 80, false},
		// an address allows itself, not a name that has it
		{public, "", public, public, 443, true},
		{public, "", "example.com", public, 443, false},
		{public + ":443", "", public, public, 80, false},
		{"93.184.0.0/16", "", public, public, 80, true},
		{"example.com", "", public, public, 443, false},
		// denials win
		{"*", "*", "example.com", public, 443, false},
		{"*", "example.com", "example.com", public, 443, false},
		{"*", "example.com:80", "example.com", public, 443, true},
		{"example.com", "*.example.com", "example.com", public, 443, true},
		{"*", public, "example.com", public, 443, false},
		{"*", "93.184.0.0/16", "other.org", public, 443, false},
		{"10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "10.1.2.3", 80, false},
		{"10.0.0.0/8", "10.1.0.0/16", "10.2.2.3", "10.2.2.3", 80, true},
		// what is not public needs an entry of its own
		{"*", "", "localhost", "127.0.0.1", 80, false},
		{"localhost", "", "localhost", "127.0.0.1", 80, true},
		{"localhost", "", "localhost", "::1", 80, true},
		{"localhost:80", "", "localhost", "127.0.0.1", 81, false},
		{"localhost", "", "localhost", "10.0.0.1", 80, false},
		{"localhost", "", "127.0.0.1", "127.0.0.1", 80, false},
		{"127.0.0.1", "", "127.0.0.1", "127.0.0.1", 80, true},
		{"127.0.0.1", "", "127.0.0.2", "127.0.0.2", 80, false},
		{"127.0.0.0/8", "", "127.9.9.9", "127.9.9.9", 80, true},
		{"[::1]:8080", "", "::1", "::1", 8080, true},
		{"[::1]:8080", "", "::1", "::1", 8081, false},
		{"::1", "", "::1", "::1", 80, true},
		{"app.localhost", "", "app.localhost", "127.0.0.1", 80, true},
		{"*", "", "app.localhost", "127.0.0.1", 80, false},
		// names that point inside (rebinding)
		{"example.com", "", "example.com", "127.0.0.1", 80, false},
		{"example.com", "", "example.com", "10.0.0.5", 80, false},
		{"example.com", "", "example.com", "169.254.169.254", 80, false},
		{"example.com,10.0.0.0/8", "", "example.com", "10.0.0.5", 80, true},
		{"10.0.0.0/8", "", "example.com", "10.0.0.5", 80, false},
		{"*,10.0.0.5", "", "10.0.0.5", "10.0.0.5", 80, false}, // "*" is no entry of a list: see below
		// every family of special addresses
		{"*", "", "0.0.0.0", "0.0.0.0", 80, false},
		{"*", "", "10.0.0.1", "10.0.0.1", 80, false},
		{"*", "", "100.64.0.1", "100.64.0.1", 80, false},
		{"*", "", "169.254.169.254", "169.254.169.254", 80, false},
		{"*", "", "172.16.0.1", "172.16.0.1", 80, false},
		{"*", "", "172.32.0.1", "172.32.0.1", 80, true},
		{"*", "", "192.168.1.1", "192.168.1.1", 80, false},
		{"*", "", "198.18.0.1", "198.18.0.1", 80, false},
		{"*", "", "224.0.0.1", "224.0.0.1", 80, false},
		{"*", "", "255.255.255.255", "255.255.255.255", 80, false},
		{"*", "", "::", "::", 80, false},
		{"*", "", "::1", "::1", 80, false},
		{"*", "", "::ffff:127.0.0.1", "::ffff:127.0.0.1", 80, false},
		{"*", "", "::ffff:93.184.215.14", "::ffff:93.184.215.14", 80, true},
		{"127.0.0.1", "", "::ffff:127.0.0.1", "::ffff:127.0.0.1", 80, true},
		{"*", "", "::127.0.0.1", "::127.0.0.1", 80, false},
		{"*", "", "64:ff9b::7f00:1", "64:ff9b::7f00:1", 80, false},
		{"*", "", "64:ff9b:1::1", "64:ff9b:1::1", 80, false},
		{"*", "", "2002:7f00:1::", "2002:7f00:1::", 80, false},
		{"*", "", "2001::1", "2001::1", 80, false},
		{"*", "", "2001:db8::1", "2001:db8::1", 80, false},
		{"*", "", "fd00:ec2::254", "fd00:ec2::254", 80, false},
		{"*", "", "fe80::1", "fe80::1", 80, false},
		{"*", "", "fe80::1%eth0", "fe80::1%eth0", 80, false},
		{"fe80::1", "", "fe80::1%eth0", "fe80::1%eth0", 80, true},
		{"*", "", "fec0::1", "fec0::1", 80, false},
		{"*", "", "ff02::1", "ff02::1", 80, false},
		{"*", "", "4000::1", "4000::1", 80, false},
		{"fd00::/8", "", "fd00:ec2::254", "fd00:ec2::254", 80, true},
	} {
		if strings.HasPrefix(c.allow, "*,") {
			var conf allow.Config
			conf.Allow[allow.Net] = allow.Entries{List: strings.Split(c.allow, ",")}
			_, err := allow.New(conf)
			require.Error(t, err, "%s is no entry", c.allow)
			continue
		}
		err := decide(netRules(t, c.allow, c.deny), c.host, c.addr, c.port)
		require.Equal(t, c.ok, err == nil, "allow %q, deny %q: %s at %s, port %d: %v", c.allow, c.deny, c.host, c.addr, c.port, err)
		var denied *allow.Denied
		if err == nil {
			continue
		}
		require.True(t, errors.As(err, &denied))
		require.True(t, strings.Contains(err.Error(), "--allow-net=") || strings.Contains(err.Error(), "--deny-net"), "%v names no flag", err)
		if denied.Flag == "" || c.deny != "" {
			continue
		}
		entry := strings.Trim(strings.TrimPrefix(denied.Flag, "--allow-net="), "'")
		with := entry
		if c.allow != "" && c.allow != "*" {
			with = c.allow + "," + entry
		}
		after := decide(netRules(t, with, ""), c.host, c.addr, c.port)
		if c.allow == "*" && !strings.Contains(c.host, c.addr) && after != nil {
			continue // the name needs its own entry besides
		}
		if after != nil { // one flag more, for the address behind the name
			var more *allow.Denied
			require.True(t, errors.As(after, &more))
			with += "," + strings.TrimPrefix(more.Flag, "--allow-net=")
			after = decide(netRules(t, with, ""), c.host, c.addr, c.port)
		}
		require.NoError(t, after, "following the advice %q", with)
	}
}

// --allow-all allows private addresses too, and a denial wins over it.
func TestAll(t *testing.T) {
	c := allow.Config{All: true}
	c.Deny[allow.Net] = allow.Entries{List: []string{"169.254.0.0/16"}}
	r, err := allow.New(c)
	require.NoError(t, err)
	require.NoError(t, decide(r, "10.0.0.1", "10.0.0.1", 80))
	require.NoError(t, decide(r, "inside", "10.0.0.1", 80))
	require.Error(t, decide(r, "169.254.169.254", "169.254.169.254", 80))
	require.Error(t, decide(r, "inside", "169.254.169.254", 80))
	require.NoError(t, r.Variable("HOME"))
	require.Error(t, r.Variable("WF_SECRET_STRIPE"))
	require.Error(t, r.Variable("wf_llm_api_key"))
}

func TestEntriesThatAreNone(t *testing.T) {
	for _, entry := range []string{"", "https://example.com", "example.com:0", "example.com:99999", "example.com:http", "2130706433", "0x7f.1", "127.1",
		"0177.0.0.1", "exa mple.com", "a..b", "*", "*.*.com", "münchen.de", "10.0.0.0/33", "[::1"} {
		var c allow.Config
		c.Allow[allow.Net] = allow.Entries{List: []string{entry}}
		_, err := allow.New(c)
		require.Error(t, err, "%q", entry)
		require.Contains(t, err.Error(), "--allow-net")
	}
}
