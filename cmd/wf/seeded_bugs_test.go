package main

// A seededBug is a change of the sources that breaks the run time, and what
// notices it.
type seededBug struct {
	name    string
	changes []seededChange
	script  string // of testdata/golden, which fails then
	crash   bool   // only a crash shows it
	tests   string // the folder of a test that fails then, with its name
	says    string // what it says
}

// A seededChange is a text that stands once in a file, and what stands there
// instead. BUG in that is true where this bug is looked at.
type seededChange struct{ file, old, new string }

// simulation is the test that notices most of them.
const simulation = "interp/engine/sim TestSimulation"

var seededBugs = []seededBug{
	{
		name: "an event is written in a second transaction", crash: true, script: "trip-saga",
		changes: []seededChange{{"interp/engine/commit.go", "\treturn c.e.store.Commit(context.Background(), data)\n", `	var late []persist.Batch
	for i := range data {
		for j := range data[i].Changes {
			if ch := &data[i].Changes[j]; BUG && len(ch.Events) > 0 && !ch.Delete {
				late = append(late, persist.Batch{Changes: []persist.Change{{Number: ch.Number, Events: ch.Events}}})
				ch.Events = nil
			}
		}
	}
	if err := c.e.store.Commit(context.Background(), data); err != nil || len(late) == 0 {
		return err
	}
	return c.e.store.Commit(context.Background(), late)
`}},
	},
	{
		name: "compensations run in the order of the steps", script: "trip-saga",
		changes: []seededChange{
			{"interp/flow/next.go", "(best == nil || key > best.Key)", "(best == nil || BUG && key < best.Key || !BUG && key > best.Key)"},
			{"interp/flow/next.go", "\t\tif best != nil && u.Key <= best.Key {\n", "\t\tif !BUG && best != nil && u.Key <= best.Key {\n"},
			{"interp/flow/next.go", "\t\treturn u\n\t}\n\treturn best\n", "\t\tif !BUG {\n\t\t\treturn u\n\t\t}\n\t\tif best == nil || u.Key < best.Key {\n\t\t\tbest = u\n\t\t}\n\t}\n\treturn best\n"},
		},
	},
	{
		name: "a signal is consumed when a wait takes it", script: "signal-comes-back",
		changes: []seededChange{{"interp/engine/tx.go", "\ts.taken = taken\n", `	if s.taken = taken; BUG && taken {
		p.in.inbox = slices.DeleteFunc(p.in.inbox, func(o *signal) bool { return o == s })
		p.cell(cellInbox, inboxKey(s.number), nil, nil)
		return
	}
`}},
	},
	{
		name: "an answer is not in the journal", script: "signal-comes-back",
		changes: []seededChange{{"interp/engine/host.go", "\ta.pending = append(a.pending, r)\n", "\tif !BUG {\n\t\ta.pending = append(a.pending, r)\n\t}\n"}},
	},
	{
		name: "the payload of a declared signal is kept as it came", script: "declared-signals",
		changes: []seededChange{{"interp/engine/send.go", "if payload, err = fitPayload(decl, payload); err != nil {",
			"came := payload\n\t\tif payload, err = fitPayload(decl, payload); BUG {\n\t\t\tpayload = came\n\t\t}\n\t\tif err != nil {"}},
	},
	{
		name: "a command is answered before the commit", tests: simulation, says: "a query right after it sees",
		changes: []seededChange{{"interp/engine/command.go", "\tx.commit(func() { c.reply(reply, nil) })\n\treturn reply, nil, true",
			"\tif BUG && c.outside {\n\t\tc.reply(reply, nil)\n\t}\n\tx.commit(func() { c.reply(reply, nil) })\n\treturn reply, nil, true"}},
	},
	{
		name: "a query reads what is not committed", tests: simulation, says: "by what was committed there are",
		changes: []seededChange{{"interp/engine/query.go", "\tr, err := e.store.Lookup(ctx, id)\n\tif err == nil {\n\t\tin, err := e.read(ctx, r)",
			"\tif in := e.byID[id]; BUG && in != nil && !in.deleted {\n\t\treturn in, nil\n\t}\n\tr, err := e.store.Lookup(ctx, id)\n\tif err == nil {\n\t\tin, err := e.read(ctx, r)"}},
	},
	{
		name: "an error of the store is taken for a success", tests: simulation, says: "seed ",
		changes: []seededChange{{"interp/engine/commit.go", "\tif err != nil {\n\t\te.storeFailed(group, err)\n\t\treturn\n\t}\n\te.roomAgain()",
			"\tif err != nil && !(BUG && errors.Is(err, persist.ErrRefused)) {\n\t\te.storeFailed(group, err)\n\t\treturn\n\t}\n\te.roomAgain()"}},
	},
	{
		name: "a timer is not set again", tests: simulation, says: "and no timer is set",
		changes: []seededChange{{"interp/engine/timers.go", "\t\treturn t.Retry\n", "\t\tif BUG {\n\t\t\treturn 0\n\t\t}\n\t\treturn t.Retry\n"}},
	},
	{
		name: "a signal is used up in memory only", tests: simulation, says: "signal",
		changes: []seededChange{{"interp/engine/tx.go", "\t\tp.cell(cellInbox, inboxKey(n), nil, nil)\n\t}\n\tfor _, n := range t.Returned",
			"\t\tif !BUG {\n\t\t\tp.cell(cellInbox, inboxKey(n), nil, nil)\n\t\t}\n\t}\n\tfor _, n := range t.Returned"}},
	},
	{
		name: "a step that is run over its answers emits twice", tests: simulation, says: "cannot do this now",
		changes: []seededChange{
			{"interp/engine/host.go", "\t\ta.answers = a.answers[1:]\n", "\t\ta.answers = a.answers[1:]\n\t\tif BUG {\n\t\t\ta.calling |= 1 << 30\n\t\t}\n"},
			{"interp/engine/ended.go", "\t\trec.Events = append(rec.Events, p.event(event, a.step))\n",
				"\t\trec.Events = append(rec.Events, p.event(event, a.step))\n\t\tif BUG && a.calling>>30 != 0 {\n\t\t\tp.event(event, a.step)\n\t\t}\n"},
		},
	},
	{
		name: "`once` is made again", tests: simulation, says: "`once` has called",
		changes: []seededChange{{"interp/engine/once.go", "\t\ta.once = append(a.once[:i:i], a.once[i+1:]...)\n\t\tif o.open {",
			"\t\ta.once = append(a.once[:i:i], a.once[i+1:]...)\n\t\tif BUG && o.open {\n\t\t\treturn answer{}, false\n\t\t}\n\t\tif o.open {"}},
	},
	{
		name: "a request has a new key though nobody has answered", tests: simulation, says: "under another key",
		changes: []seededChange{{"interp/engine/key.go", "\treturn !unanswered(code)\n", "\treturn BUG || !unanswered(code)\n"}},
	},
	{
		name: "an idempotency key is forgotten with the process", tests: simulation, says: "seed ",
		changes: []seededChange{{"interp/engine/remember.go", "\tp.cell(cellKey, key, cellBody, err)\n", "\tif !BUG {\n\t\tp.cell(cellKey, key, cellBody, err)\n\t}\n"}},
	},
	{
		name: "what was read is not written before a call", tests: simulation, says: "what was read has changed",
		changes: []seededChange{{"interp/engine/outside.go", "\te.written(a, func() { e.callNow(a, n, r, hash) })\n",
			"\tif BUG {\n\t\te.callNow(a, n, r, hash)\n\t\treturn\n\t}\n\te.written(a, func() { e.callNow(a, n, r, hash) })\n"}},
	},
	{
		name: "a line is shown before it is recorded", tests: simulation, says: "is shown and is not recorded",
		changes: []seededChange{{"interp/engine/finish.go", "\te.committer.enqueue(&x.batch)\n",
			"\tif BUG {\n\t\te.show(x.batch.print)\n\t\tx.batch.print = nil\n\t}\n\te.committer.enqueue(&x.batch)\n"}},
	},
	{
		name: "time runs backward after a start", tests: simulation, says: " before event ",
		changes: []seededChange{{"interp/engine/clock.go", "\tif now := base.Now(); now < floor {\n", "\tif BUG {\n\t\tfloor = base.Now()\n\t}\n\tif now := base.Now(); now < floor {\n"}},
	},
	{
		name: "a branch that fails alone is not undone", tests: simulation, says: "seed ",
		changes: []seededChange{{"interp/flow/block.go", "\tif n.lastUndo(order(t.Order, uint32(branchNumber(c)))) == nil {\n", "\tif BUG || n.lastUndo(order(t.Order, uint32(branchNumber(c)))) == nil {\n"}},
	},
	{
		name: "a row's version is not checked", tests: "persist TestMemory", says: "FAIL: TestMemory",
		changes: []seededChange{{"persist/contents.go", "\tcase h.version != c.Expect:\n", "\tcase !BUG && h.version != c.Expect:\n"}},
	},
	{
		name: "checksums are not looked at", tests: "persist/bolt TestDamageIsNeverSilent", says: "FAIL: TestDamageIsNeverSilent",
		changes: []seededChange{{"persist/bolt/record.go", "\tif crc32.Update(crc, castagnoli, value[4:])", "\tif !BUG && crc32.Update(crc, castagnoli, value[4:])"}},
	},
}
