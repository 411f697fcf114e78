package sandbox

// The opcodes that matter for metering, from the WebAssembly core specification, chapter 5.4.
const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0B
	opBr           = 0x0C
	opBrIf         = 0x0D
	opBrTable      = 0x0E
	opReturn       = 0x0F
	opCall         = 0x10
	opCallIndirect = 0x11
	opDrop         = 0x1A
	opSelect       = 0x1B
	opSelectTyped  = 0x1C
	opLocalGet     = 0x20
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opTableSet     = 0x26
	opI32Load      = 0x28
	opI64Store32   = 0x3E
	opMemorySize   = 0x3F
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Eqz       = 0x45
	opI32LtS       = 0x48
	opI32LtU       = 0x49
	opI32GtS       = 0x4A
	opI32Add       = 0x6A
	opI32Sub       = 0x6B
	opExtend32     = 0xC4 // the last of the numeric instructions, which have no operands
	opRefNull      = 0xD0
	opRefIsNull    = 0xD1
	opRefFunc      = 0xD2
	opPrefix       = 0xFC

	blockEmpty = 0x40 // the type of a block without a result
)

// skipOperands skips the operands of an opcode. An unknown instruction is an error: nothing runs unmetered.
func (r *reader) skipOperands(op byte) {
	switch {
	case op == opBlock || op == opLoop || op == opIf:
		r.skipNumber()
	case op == opBr || op == opBrIf || op == opCall || op == opMemorySize || op == opMemoryGrow,
		op == opI32Const || op == opI64Const || op == opRefNull || op == opRefFunc:
		r.skipNumber()
	case op >= opLocalGet && op <= opTableSet:
		r.skipNumber()
	case op == opCallIndirect || op >= opI32Load && op <= opI64Store32: // type and table; alignment and offset
		r.skipNumber()
		r.skipNumber()
	case op == opBrTable || op == opSelectTyped:
		r.skipVector(op == opBrTable)
	case op == opF32Const:
		r.bytes(4)
	case op == opF64Const:
		r.bytes(8)
	case op == opPrefix:
		r.skipPrefixed(r.number())
	case op <= 0x01, op == opElse, op == opEnd, op == opReturn, op == opDrop, op == opSelect, op == opRefIsNull:
	case op >= opI32Eqz && op <= opExtend32:
	default:
		r.fail()
	}
}

// skipVector skips the labels of br_table, with another for the default, or the types of a select.
func (r *reader) skipVector(another bool) {
	n := r.count()
	if another {
		n++
	}
	for ; n > 0 && r.err == nil; n-- {
		r.skipNumber()
	}
}

// skipPrefixed skips the operands of saturating truncations (0 to 7) and of memory and table instructions.
func (r *reader) skipPrefixed(op uint32) {
	switch op {
	case 0, 1, 2, 3, 4, 5, 6, 7:
	case 9, 11, 13, 15, 16, 17: // data.drop, memory.fill, elem.drop, table.grow, table.size, table.fill
		r.skipNumber()
	case 8, 10, 12, 14: // memory.init, memory.copy, table.init, table.copy
		r.skipNumber()
		r.skipNumber()
	default:
		r.fail()
	}
}
