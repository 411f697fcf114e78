package sandbox

// code meters all functions.
func (m *metering) code(r *reader) []byte {
	n := r.count()
	if int(n) != len(m.types) || m.globals == 0 || m.memory == 0 {
		r.fail()
	}
	out := appendNumber(nil, n)
	for i := uint32(0); i < n && r.err == nil; i++ {
		body, err := m.function(r.sized(), m.types[i])
		if err != nil {
			r.fail()
			break
		}
		out = appendSized(out, body)
	}
	return out
}

// function meters a function: each of its loops, and the function itself if it calls others. A function without loops
// and calls always ends.
func (m *metering) function(body []byte, kind uint32) ([]byte, error) {
	r := &reader{data: body}
	for range r.count() { // locals
		r.number()
		r.byte()
	}
	locals := r.at
	if !calls(reader{data: body, at: locals}) {
		return append(append([]byte(nil), body[:locals]...), m.instructions(r, false)...), r.err
	}
	out := m.enter(append([]byte(nil), body[:locals]...))
	if int(kind) >= len(m.results) || len(m.results[kind]) > 1 {
		return nil, errBinary
	}
	out = append(out, opBlock)
	if results := m.results[kind]; len(results) == 1 {
		out = append(out, results[0])
	} else {
		out = append(out, blockEmpty)
	}
	out = append(out, m.instructions(r, true)...) // the end of the body ends the block
	out = m.addDepth(out, -1)
	return append(out, opEnd), r.err
}

// calls reports whether a function calls others.
func calls(r reader) bool {
	for !r.done() {
		op := r.byte()
		if op == opCall || op == opCallIndirect {
			return true
		}
		r.skipOperands(op)
	}
	return false
}

// instructions copies instructions and meters loops. If the function is wrapped in a block, a return becomes a jump to
// the end of that block.
func (m *metering) instructions(r *reader, wrapped bool) []byte {
	var out []byte
	nesting := uint32(0)
	for !r.done() {
		from := r.at
		op := r.byte()
		r.skipOperands(op)
		switch op {
		case opBlock, opIf:
			nesting++
		case opEnd:
			nesting--
		case opReturn:
			if wrapped {
				out = appendNumber(append(out, opBr), nesting)
				continue
			}
		}
		out = append(out, r.data[from:r.at]...)
		if op == opLoop {
			nesting++
			out = m.count(out)
		}
	}
	return out
}

// enter appends what a function does before its own instructions.
func (m *metering) enter(out []byte) []byte {
	out = m.addDepth(out, 1)
	out = appendNumber(append(out, opGlobalGet), m.depth())
	out = append(appendSigned(append(out, opI32Const), maxFrames), opI32GtS, opIf, blockEmpty, opUnreachable, opEnd)
	out = append(out, opGlobalGet, 0)
	out = appendSigned(append(out, opI32Const), int32(m.stackLow()+guardBytes))
	out = append(out, opI32LtU, opIf, blockEmpty, opUnreachable, opEnd)
	return m.count(out)
}

func (m *metering) addDepth(out []byte, n int32) []byte {
	out = appendNumber(append(out, opGlobalGet), m.depth())
	out = append(appendSigned(append(out, opI32Const), n), opI32Add)
	return appendNumber(append(out, opGlobalSet), m.depth())
}

// count appends a decrement of the counter. At zero the counter is reset and the tick is called.
func (m *metering) count(out []byte) []byte {
	out = appendNumber(append(out, opGlobalGet), m.fuel())
	out = append(out, opI32Const, 1, opI32Sub)
	out = appendNumber(append(out, opGlobalSet), m.fuel())
	out = appendNumber(append(out, opGlobalGet), m.fuel())
	out = append(out, opI32Const, 0, opI32LtS, opIf, blockEmpty)
	out = appendSigned(append(out, opI32Const), tickEvery)
	out = appendNumber(append(out, opGlobalSet), m.fuel())
	out = append(out, opI32Const, 0, opI32Const, 0, opI32Const, 0, opI32Const, 0)
	out = appendNumber(append(out, opCall), m.tickCall)
	return append(out, opDrop, opEnd)
}
