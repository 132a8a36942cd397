package engine

import "context"

// answers gives, by the path of the track, the answers that the visits under way
// have had, in the order of the journal. They are read from it once, when the
// instance has been taken up, and kept while it is in memory, so that a block of
// thousands of branches does not read the journal thousands of times.
func (e *Engine) answers(in *instance) (map[string][]Record, error) {
	if in.answers != nil {
		return in.answers, nil
	}
	in.answers = map[string][]Record{}
	from := in.lastSeq + 1
	if t := &in.state.Root; t.From != 0 {
		from = min(from, t.From)
	}
	for t := range in.Tracks() {
		from = min(from, t.From)
	}
	if from > in.lastSeq {
		return in.answers, nil
	}
	for entry, err := range e.store.Journal(context.Background(), in.number, from) {
		if err != nil {
			in.answers = nil
			return nil, err
		}
		r, err := decodeRecord(entry.Seq, entry.Body)
		if err != nil {
			in.answers = nil
			return nil, err
		}
		in.keepAnswer(r)
	}
	return in.answers, nil
}

// keepAnswer keeps a record that a body may have to be run over again.
func (in *instance) keepAnswer(r *Record) {
	if in.answers == nil || r.Kind != RecAnswer && r.Kind != RecStarted {
		return
	}
	if t, ok := in.Track(r.Path); !ok || t.Visit() != r.Visit || r.Seq < t.From {
		return
	}
	in.answers[r.Path] = append(in.answers[r.Path], *r)
}

// forgetAnswers drops the answers of a visit that is over.
func (in *instance) forgetAnswers(path string) {
	if in.answers != nil {
		delete(in.answers, path)
	}
}
