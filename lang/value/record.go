package value

// A Record is an immutable map from names to values that remembers the order
// in which its fields were first written. Two records are equal if they have
// the same fields with equal values, in whatever order.
type Record struct {
	shape *Shape
	vals  []Value
	meta  uint64
}

// NewRecord makes a record of keys and their values; a repeated key keeps its
// first place and its last value. Nobody may change the slices after.
func NewRecord(keys []string, vals []Value) Value {
	if s, distinct := NewShape(keys); distinct {
		return s.Record(vals)
	}
	at := make(map[string]int, len(keys))
	var ks []string
	var vs []Value
	for i, k := range keys {
		if j, ok := at[k]; ok {
			vs[j] = vals[i]
			continue
		}
		at[k] = len(ks)
		ks, vs = append(ks, k), append(vs, vals[i])
	}
	return NewRecord(ks, vs)
}

// Record makes the record that has vals under the names of the shape. Nobody
// may change vals after.
func (s *Shape) Record(vals []Value) Value {
	return (&Record{shape: s, vals: vals}).complete()
}

// complete computes the meta of a new record.
func (r *Record) complete() Value {
	m := metaOf(r.vals)
	r.meta = m&^sizeMask | min(m&sizeMask+r.shape.size, sizeMask)
	return Value{num: r.meta, ref: r}
}

// copyOf is a record with the shape and a copy of the values of r; a small one
// is one object in memory.
func (r *Record) copyOf() *Record {
	switch n := len(r.vals); {
	case n <= 2:
		c := &struct {
			Record
			vals [2]Value
		}{}
		c.Record = Record{shape: r.shape, vals: c.vals[:n:n]}
		copy(c.vals[:], r.vals)
		return &c.Record
	case n <= 4:
		c := &struct {
			Record
			vals [4]Value
		}{}
		c.Record = Record{shape: r.shape, vals: c.vals[:n:n]}
		copy(c.vals[:], r.vals)
		return &c.Record
	}
	c := &Record{shape: r.shape, vals: make([]Value, len(r.vals))}
	copy(c.vals, r.vals)
	return c
}

// Len is the number of fields.
func (r *Record) Len() int { return len(r.vals) }

// At is the i-th field.
func (r *Record) At(i int) (string, Value) { return r.shape.keys[i], r.vals[i] }

// Keys are the names of the fields in order; they must not be changed.
func (r *Record) Keys() []string { return r.shape.keys }

// Get finds a field.
func (r *Record) Get(key string) (Value, bool) {
	if i := r.shape.index(key); i >= 0 {
		return r.vals[i], true
	}
	return Nil, false
}

// With is the record with the field set.
func (r *Record) With(key string, v Value) Value {
	if i := r.shape.index(key); i >= 0 {
		return r.replace(i, v)
	}
	vals := append(r.vals[:len(r.vals):len(r.vals)], v)
	return r.shape.with(key).Record(vals)
}

// WithAll is the record with several fields set, one after the other.
func (r *Record) WithAll(keys []string, vals []Value) Value {
	n := r.copyOf()
	for i, k := range keys {
		if at := n.shape.index(k); at >= 0 {
			n.vals[at] = vals[i]
			continue
		}
		n.shape = n.shape.with(k)
		n.vals = append(n.vals[:len(n.vals):len(n.vals)], vals[i])
	}
	return n.complete()
}

// replace is the record with the i-th value replaced.
func (r *Record) replace(i int, v Value) Value {
	n := r.copyOf()
	n.vals[i] = v
	m, known := replaceMeta(r.meta, r.vals[i].meta(), v.meta())
	if !known {
		return n.complete()
	}
	n.meta = m
	return Value{num: m, ref: n}
}

// Without is the record without the field.
func (r *Record) Without(key string) Value {
	i := r.shape.index(key)
	if i < 0 {
		return Value{num: r.meta, ref: r}
	}
	all := r.shape.keys
	keys := append(append(make([]string, 0, len(all)-1), all[:i]...), all[i+1:]...)
	vals := append(append(make([]Value, 0, len(all)-1), r.vals[:i]...), r.vals[i+1:]...)
	return NewRecord(keys, vals)
}
