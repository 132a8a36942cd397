package value

// Overwriting breaks the rule that values never change. It is for one user: an
// evaluator that has made a value itself and knows that one variable alone
// holds it, so that nobody can tell the changed value from a changed copy.

// Overwrite sets a field that r has in r itself and gives the record as a value;
// if r has no such field it changes nothing and reports false. Values made from
// r before must not be used any more.
func (r *Record) Overwrite(key string, v Value) (Value, bool) {
	i := r.shape.index(key)
	if i < 0 {
		return Nil, false
	}
	old := r.vals[i]
	r.vals[i] = v
	if m, known := replaceMeta(r.meta, old.meta(), v.meta()); known {
		r.meta = m
		return Value{num: m, ref: r}, true
	}
	return r.complete(), true
}

// Overwrite sets the i-th element, which there must be, in the memory of a list
// and gives the list. Values made from it before must not be used any more.
func Overwrite(v Value, i int, x Value) Value {
	vs, _ := v.AsList()
	old := vs[i]
	vs[i] = x
	m, known := replaceMeta(v.num, old.meta(), x.meta())
	if !known {
		m = metaOf(vs)
	}
	return Value{num: m, ref: v.ref}
}

// replaceMeta corrects the meta of a container for a part replaced, unless the
// old part may have been the deepest or the one with a closure.
func replaceMeta(whole, before, after uint64) (m uint64, known bool) {
	depth, size := whole>>depthShift&depthMask, whole&sizeMask
	deepest := before>>depthShift&depthMask+1 >= depth && depth > 1
	if deepest || (whole|after)&stickyBits != 0 || size == sizeMask {
		return 0, false
	}
	depth = max(depth, min(after>>depthShift&depthMask+1, depthMask))
	return depth<<depthShift | min(size-before&sizeMask+after&sizeMask, sizeMask), true
}
