package allow

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// A netEntry is one entry of --allow-net: a host by name, a domain with all
// names under it, an address or a range of addresses; with a port or for all.
type netEntry struct {
	name   string       // "example.com"; of a domain "*.example.com"
	prefix netip.Prefix // valid for addresses
	port   uint16       // 0: any
}

// parseEntry reads host[:port], *.domain[:port], an address, [address]:port or
// a range such as 10.0.0.0/8.
func parseEntry(text string) (netEntry, error) {
	bad := func(why string) (netEntry, error) {
		return netEntry{}, fmt.Errorf("%q is not a host: %s", text, why)
	}
	if strings.Contains(text, "://") {
		return bad("leave out what stands before it, as in example.com:443")
	}
	if p, err := netip.ParsePrefix(text); err == nil {
		return netEntry{prefix: unmapPrefix(p)}, nil
	}
	if a, err := netip.ParseAddr(unbracketed(text)); err == nil {
		return addrEntry(a, 0), nil
	}
	host, port, err := splitPort(text)
	if err != nil {
		return bad(err.Error())
	}
	if a, err := netip.ParseAddr(unbracketed(host)); err == nil {
		return addrEntry(a, port), nil
	}
	name := strings.TrimPrefix(host, "*.")
	if name, err = HostName(name); err != nil {
		return bad(err.Error())
	}
	if strings.HasPrefix(host, "*.") {
		name = "*." + name
	}
	return netEntry{name: name, port: port}, nil
}

// unbracketed takes the brackets off an IPv6 address.
func unbracketed(s string) string {
	if inner, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(inner, "]") {
		return inner[:len(inner)-1]
	}
	return s
}

func addrEntry(a netip.Addr, port uint16) netEntry {
	a = a.Unmap().WithZone("")
	return netEntry{prefix: netip.PrefixFrom(a, a.BitLen()), port: port}
}

func unmapPrefix(p netip.Prefix) netip.Prefix {
	if a := p.Addr(); a.Is4In6() && p.Bits() >= 96 {
		return netip.PrefixFrom(a.Unmap(), p.Bits()-96).Masked()
	}
	return p.Masked()
}

func splitPort(text string) (string, uint16, error) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 || strings.HasSuffix(text, "]") {
		return text, 0, nil
	}
	n, err := strconv.ParseUint(text[i+1:], 10, 16)
	if err != nil || n == 0 {
		return "", 0, errors.New("its port is no number from 1 to 65535")
	}
	return text[:i], uint16(n), nil
}

// HostName gives the one form of a host's name: small letters, no dot at the
// end. A name that some resolvers would read as an IPv4 address in disguise
// (`2130706433`, `0x7f.1`, `127.1`) is an error, and so is one that is not made
// of letters, digits, `-`, `_` and dots.
func HostName(host string) (string, error) {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name == "" || len(name) > 253 {
		return "", errors.New("a host has 1 to 253 characters")
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 {
			return "", errors.New("between its dots stand 1 to 63 characters")
		}
		for _, c := range []byte(label) {
			if c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
				return "", errors.New("only letters, digits, - and _ may stand in it (a name in another script has a form that begins with xn--)")
			}
		}
	}
	last := labels[len(labels)-1]
	if isDigits(last) || strings.HasPrefix(last, "0x") {
		return "", errors.New("an IPv4 address is written as four decimal numbers without zeros before them")
	}
	return name, nil
}

func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

func (n *netEntry) matchesName(name string, port uint16) bool {
	switch {
	case n.name == "" || n.port != 0 && n.port != port:
		return false
	case strings.HasPrefix(n.name, "*."):
		return strings.HasSuffix(name, n.name[1:])
	}
	return n.name == name
}

func (n *netEntry) matchesAddr(a netip.Addr, port uint16) bool {
	return n.name == "" && (n.port == 0 || n.port == port) && n.prefix.Contains(a)
}

func (r *rule) hasName(name string, port uint16) bool {
	for i := range r.nets {
		if r.nets[i].matchesName(name, port) {
			return true
		}
	}
	return false
}

func (r *rule) hasAddr(a netip.Addr, port uint16) bool {
	for i := range r.nets {
		if r.nets[i].matchesAddr(a, port) {
			return true
		}
	}
	return false
}

// Host decides about a host as it is written, a name in the form of HostName or
// an address, before it is looked up. That is not yet a yes to the address that
// it turns out to have: see Addr.
func (r *Rules) Host(host string, port uint16) error {
	if a, err := netip.ParseAddr(host); err == nil {
		return r.Addr(host, netip.AddrPortFrom(a, port))
	}
	what, entry := reach(host, port)
	switch {
	case r.deny[Net].all, r.deny[Net].hasName(host, port):
		return r.forbidden(Net, what)
	case r.all, r.allow[Net].all, r.allow[Net].hasName(host, port):
		return nil
	}
	return denied(Net, what, entry)
}

// Addr decides about an address that is about to be dialled for a host that
// Host has allowed. Private addresses need an entry of their own: the address, a
// range, or a name of the machine itself (localhost) for loopback.
func (r *Rules) Addr(host string, to netip.AddrPort) error {
	a, port := to.Addr().Unmap().WithZone(""), to.Port()
	what, _ := reach(host, port)
	literal, err := netip.ParseAddr(host)
	isLiteral := err == nil
	_, entry := reach(a.String(), port)
	class := Class(a)
	if r.deny[Net].all || r.deny[Net].hasAddr(a, port) {
		return r.forbidden(Net, what)
	}
	if r.all || r.allow[Net].hasAddr(a, port) {
		return nil
	}
	if class == "" && (r.allow[Net].all || !isLiteral) {
		return nil
	}
	if a.IsLoopback() && local(host) {
		if r.allow[Net].hasName(host, port) {
			return nil
		}
		_, entry = reach(host, port)
	}
	d := denied(Net, what, entry)
	switch {
	case class == "":
	case isLiteral && literal.Unmap().WithZone("") == a:
		d.Why = "it is " + class + ", which needs an entry of its own"
	default:
		d.Why = fmt.Sprintf("%s is %s, %s, which needs an entry of its own", host, a, class)
	}
	return d
}

// Model decides about the host of the model's endpoint: it was configured, which
// allows it, so only a denial counts.
func (r *Rules) Model(host string, port uint16) error {
	what, _ := reach(host, port)
	if a, err := netip.ParseAddr(host); err == nil && r.deny[Net].hasAddr(a.Unmap(), port) {
		return r.forbidden(Net, what)
	}
	if r.deny[Net].all || r.deny[Net].hasName(host, port) {
		return r.forbidden(Net, what)
	}
	return nil
}

// reach says what is wanted, and the entry that would allow it.
func reach(host string, port uint16) (what, entry string) {
	entry = host
	if strings.Contains(host, ":") {
		entry = "[" + host + "]"
	}
	entry += ":" + strconv.Itoa(int(port))
	return "to reach " + entry, entry
}

func local(host string) bool { return host == "localhost" || strings.HasSuffix(host, ".localhost") }
