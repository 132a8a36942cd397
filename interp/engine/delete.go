package engine

import (
	"context"

	"github.com/wf-lang/wf/lang/value"
)

// delete removes the instance with this tx.
func (p *part) delete() {
	in := p.in
	for _, a := range in.attempts {
		p.cut(a)
	}
	p.deleted = true
	in.deleted = true
	p.wakeWaiters()
	p.forgetSpawn()
	for _, c := range in.queued {
		c.reply(value.Nil, noInstance(in.id))
	}
	in.queued = nil
}

// Delete removes an instance without compensation. One that has not ended is
// refused unless force is given.
func (e *Engine) Delete(ctx context.Context, id string, force bool) error {
	return e.change(ctx, id, func(x *tx, in *instance) error {
		if !in.state.Status.Terminal() && !in.wf.Entity && !force {
			return refuse("conflict", "%s %q is %s; it can be deleted with --force, which undoes nothing", in.workflow, id, in.state.Status)
		}
		x.part(in).delete()
		x.traceAs(in, TraceDeleted, said("is deleted"))
		return nil
	})
}
