package call

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/wf-lang/wf/interp/call/allow"
)

// A dialer connects to hosts. The address that a connection is really made to
// is checked in the moment of dialling, whatever the name said a moment before.
type dialer struct {
	rules    *allow.Rules
	resolver *net.Resolver
}

const (
	maxHeaderBytes = 256 << 10 // of an answer's head
	idleFor        = time.Minute
	dialFor        = 30 * time.Second
)

// transport makes a transport over the dialer. Proxies of the environment are
// not used: the address behind one could not be checked.
func (d *dialer) transport() *http.Transport {
	return &http.Transport{DialContext: d.dial, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 8, MaxIdleConns: 64, IdleConnTimeout: idleFor,
		TLSHandshakeTimeout: dialFor, MaxResponseHeaderBytes: maxHeaderBytes, ExpectContinueTimeout: time.Second}
}

// modelKey marks the context of calls to the model's endpoint, which
// configuration allows.
type modelKey struct{}

func (d *dialer) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	n := net.Dialer{Timeout: dialFor, Resolver: d.resolver, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("dial %s: %w", address, err)
		}
		if ctx.Value(modelKey{}) != nil {
			return d.rules.Model(to.Addr().String(), to.Port())
		}
		return d.rules.Addr(host, to)
	}}
	return n.DialContext(ctx, network, addr)
}
