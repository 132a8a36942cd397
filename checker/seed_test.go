package checker_test

import (
	"testing"

	"github.com/wf-lang/wf/lang/program"
)

// overview are the samples of the overview of durable workflows, as they are
// printed there.
var overview = []string{
	`workflow PurchaseOrder {
    step validate {
        // Step body: runs when the step executes
        self.step_index = self.step_index + 1
    }
}`,
	`workflow ParallelTest {
    step before { (emit BeforeDone(), self.step_index = self.step_index + 1) }
    parallel {
        step branch_a { emit BranchA_Done() }
        step branch_b { emit BranchB_Done() }
    }
    step after { emit AfterDone() }
}`,
	`workflow Counter {
    step start { (emit Started(0), self.step_index = self.step_index + 1) }
    step second { (emit Incremented(1), self.step_index = self.step_index + 1) }
}`,
	`workflow SagaTest {
    step a {
        (self.step_index = self.step_index + 1, self.a_done = 1, emit A_Done())
    } compensate {
        // Runs if step 'a' fails — undo the work
        self.a_done = 0
    }
}`,
	`workflow PurchaseOrder { step validate { 1 } }

let w = spawn PurchaseOrder {} in { w }`,
	`workflow Counter {
    step bump { self.step_index = self.step_index + 1 }
}

fn progress() -> Int { self.step_index }

let c = spawn Counter {} in { progress }`,
}

func TestOverviewSamples(t *testing.T) {
	for _, text := range overview {
		_, said, set := check(t, text)
		if len(said) > 0 {
			t.Errorf("unexpected: %s\n%s", lines(set, said), text)
		}
	}
}

func TestStateOfTheSamples(t *testing.T) {
	p := accept(t, overview[3])
	w := p.Actor("SagaTest")
	if len(w.Fields) != 1 || w.Fields[0].Name != "a_done" || w.Fields[0].Declared {
		t.Errorf("fields: %+v", w.Fields)
	}
	if got := w.Items[0].Step.Body.Effects; got != program.WritesSelf|program.Emits {
		t.Errorf("effects: %b", got)
	}
	if w.Items[0].Step.Compensate == nil {
		t.Error("the compensation is missing")
	}
	par := accept(t, overview[1]).Actor("ParallelTest")
	if len(par.Items) != 3 || par.Items[1].Parallel == nil || len(par.Items[1].Parallel.Branches) != 2 {
		t.Errorf("items: %+v", par.Items)
	}
}
