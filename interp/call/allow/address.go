package allow

import "net/netip"

// special are the ranges that are not the public internet. IPv6 has its public
// addresses in 2000::/3; everything else of it is special as a whole.
func special() []struct{ prefix, class string } {
	return []struct{ prefix, class string }{
		{"0.0.0.0/8", "an address of this machine"},
		{"10.0.0.0/8", "a private address"},
		{"100.64.0.0/10", "an address behind a provider's NAT"},
		{"127.0.0.0/8", "a loopback address"},
		{"169.254.0.0/16", "a link-local address"},
		{"172.16.0.0/12", "a private address"},
		{"192.0.0.0/24", "a reserved address"},
		{"192.0.2.0/24", "a reserved address"},
		{"192.88.99.0/24", "a reserved address"},
		{"192.168.0.0/16", "a private address"},
		{"198.18.0.0/15", "a reserved address"},
		{"198.51.100.0/24", "a reserved address"},
		{"203.0.113.0/24", "a reserved address"},
		{"224.0.0.0/4", "a multicast address"},
		{"240.0.0.0/4", "a reserved address"},

		{"::/128", "an address of this machine"},
		{"::1/128", "a loopback address"},
		{"64:ff9b::/96", "an IPv4 address behind a translator"},
		{"64:ff9b:1::/48", "an IPv4 address behind a translator"},
		{"2001::/23", "a reserved address"},
		{"2001:db8::/32", "a reserved address"},
		{"2002::/16", "an IPv4 address behind a tunnel"},
		{"3fff::/20", "a reserved address"},
		{"fc00::/7", "a private address"},
		{"fe80::/10", "a link-local address"},
		{"fec0::/10", "a private address"},
		{"ff00::/8", "a multicast address"},
	}
}

// Class says what kind of address one is that is not public, "" if it is. An
// IPv4 address in the clothes of IPv6 counts as what it is.
func Class(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	for _, s := range special() {
		if netip.MustParsePrefix(s.prefix).Contains(a) {
			return s.class
		}
	}
	if a.Is6() && !netip.MustParsePrefix("2000::/3").Contains(a) {
		return "a reserved address"
	}
	return ""
}
