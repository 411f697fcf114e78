package sandbox

import "bytes"

// The ids of the sections of a module.
const (
	sectionCustom   = 0
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionMemory   = 5
	sectionGlobal   = 6
	sectionCode     = 10
)

const (
	pageSize = 64 << 10

	// stackPages is the size of the stack of the engine's C code in pages; the module's own stack is 64 KB.
	stackPages = 32
	// guardBytes is the size of the end of the stack in which no function may begin. It is larger than any single
	// frame.
	guardBytes = 128 << 10
	// maxFrames is the maximum call depth of the module's functions, whatever stack they use. It limits the native
	// stack.
	maxFrames = 50_000
	// tickEvery is the number of loop iterations and calls between two ticks, about 100 µs.
	tickEvery = 10_000
)

// meter rewrites a module so that it cannot run out of control:
//
//   - After every tickEvery loop iterations and calls it calls the import named tick, which can end the run, and in
//     which Go's scheduler and garbage collector get their turn.
//   - Calls deeper than maxFrames, or into the last guardBytes of the stack, trap.
//   - The stack is enlarged and moved after the data, so that an overflow overwrites nothing.
//
// Custom sections (debug information) are dropped.
func meter(module []byte, tick string) ([]byte, layout, error) {
	m := metering{reader: reader{data: module}, tick: tick}
	if !bytes.Equal(m.bytes(8), []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, layout{}, errBinary
	}
	out := append([]byte(nil), module[:8]...)
	for !m.done() && m.err == nil {
		id := m.byte()
		body := m.section(id, m.sized())
		if id != sectionCustom {
			out = appendSized(append(out, id), body)
		}
	}
	if m.err == nil && (m.memory == 0 || m.globals == 0 || !m.hasTick) {
		m.fail()
	}
	return out, layout{stackLow: m.stackLow(), stackTop: m.stackTop()}, m.err
}

// layout is the position of the stack in a metered module: it grows from stackTop down to stackLow.
type layout struct{ stackLow, stackTop uint32 }

type metering struct {
	reader
	tick     string
	hasTick  bool
	tickCall uint32   // index of the imported tick
	imports  uint32   // number of imported functions
	results  [][]byte // of each type
	types    []uint32 // of each function defined in the module
	memory   uint32   // initial size in pages
	globals  uint32   // number of globals of the module; the two of metering follow
}

func (m *metering) stackLow() uint32 { return m.memory * pageSize }
func (m *metering) stackTop() uint32 { return (m.memory + stackPages) * pageSize }

func (m *metering) fuel() uint32  { return m.globals }
func (m *metering) depth() uint32 { return m.globals + 1 }

// section meters a section and returns its replacement.
func (m *metering) section(id byte, body []byte) []byte {
	r := &reader{data: body}
	switch id {
	case sectionType:
		m.readTypes(r)
	case sectionImport:
		m.readImports(r)
	case sectionFunction:
		for range r.count() {
			m.types = append(m.types, r.number())
		}
	case sectionMemory:
		body = m.moreMemory(r)
	case sectionGlobal:
		body = m.moreGlobals(r)
	case sectionCode:
		body = m.code(r)
	}
	if r.err != nil {
		m.fail()
	}
	return body
}

func (m *metering) readTypes(r *reader) {
	for range r.count() {
		if r.byte() != 0x60 {
			r.fail()
			return
		}
		r.sized()
		m.results = append(m.results, r.sized())
	}
}

func (m *metering) readImports(r *reader) {
	for range r.count() {
		r.sized()
		name := string(r.sized())
		if r.byte() != 0 { // only functions may be imported
			r.fail()
			return
		}
		if kind := r.number(); name == m.tick {
			m.hasTick, m.tickCall = int(kind) < len(m.results) && len(m.results[kind]) == 1, m.imports
		}
		m.imports++
	}
}

// moreMemory adds space for the stack after the module's data. The heap begins where the linker put it, and continues
// after the stack.
func (m *metering) moreMemory(r *reader) []byte {
	if r.number() != 1 || r.byte() != 0 {
		r.fail()
	}
	m.memory = r.number()
	return appendNumber([]byte{1, 0}, m.memory+stackPages)
}

// moreGlobals moves the stack pointer, which is the linker's first global, and adds the two counters.
func (m *metering) moreGlobals(r *reader) []byte {
	m.globals = r.number()
	if kind := r.bytes(3); !bytes.Equal(kind, []byte{0x7F, 1, opI32Const}) {
		r.fail()
		return nil
	}
	r.skipNumber()
	out := appendNumber(nil, m.globals+2)
	out = appendSigned(append(out, 0x7F, 1, opI32Const), int32(m.stackTop()))
	out = append(out, r.data[r.at:]...)
	out = append(appendSigned(append(out, 0x7F, 1, opI32Const), tickEvery), opEnd)
	return append(out, 0x7F, 1, opI32Const, 0, opEnd)
}
