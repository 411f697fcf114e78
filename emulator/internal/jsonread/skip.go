package jsonread

// maxSkipDepth limits the memory for the open brackets of a skipped value.
const maxSkipDepth = 1 << 20

// Skip reads any value and drops it.
func (r *Reader) Skip() error {
	_, err := r.SkipDepth()
	return err
}

// SkipDepth is Skip. It returns how deep the value's brackets are nested, at most: 0 for a scalar and an empty object
// or array. It checks the grammar without recursing: open brackets are kept as one bit a level.
func (r *Reader) SkipDepth() (deepest int, err error) {
	var open []bool // true for an object
	for {
		kind := r.Kind()
		if kind == '{' || kind == '[' {
			r.pos++
			object := kind == '{'
			if !r.take(closing(object)) {
				if len(open) == maxSkipDepth {
					return 0, ErrSyntax
				}
				open = append(open, object)
				deepest = max(deepest, len(open))
				if err := r.skipKey(object); err != nil {
					return 0, err
				}
				continue
			}
		} else if err := r.scalar(kind); err != nil {
			return 0, err
		}
		for len(open) > 0 {
			object := open[len(open)-1]
			if r.take(',') {
				if err := r.skipKey(object); err != nil {
					return 0, err
				}
				break
			}
			if !r.take(closing(object)) {
				return 0, ErrSyntax
			}
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return deepest, nil
		}
	}
}

func closing(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}

func (r *Reader) skipKey(object bool) error {
	if !object {
		return nil
	}
	_, err := r.key()
	return err
}

func (r *Reader) scalar(kind Kind) error {
	var err error
	switch kind {
	case '"':
		r.esc, err = r.AppendString(r.esc[:0])
	case '0':
		_, err = r.Number()
	case 't', 'f':
		_, err = r.Bool()
	case 'n':
		err = r.Null()
	default:
		err = ErrSyntax
	}
	return err
}
