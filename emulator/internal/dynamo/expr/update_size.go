package expr

import "strconv"

// The sizes in bytes that the service adds for an UpdateExpression to the names and values in it. (Bisected on AWS in
// eu-west-2 on 2026-10-09: paritysuite/dynamodb-conformance and nubo-db/dynoxide, 80 probes.)
const (
	updateSize      = 3  // the update itself
	assignmentSize  = 19 // SET and ADD
	removalSize     = 1  // REMOVE and DELETE
	targetStepSize  = 4  // each step of a target after the first
	pathSize        = 1  // a path operand
	pathStepSize    = 14 // each of its steps
	plusSize        = 34
	minusSize       = 37
	listAppendSize  = 37
	ifNotExistsSize = 39

	largestNodeSize = 64 // bytes, more than the constants that count for one node or step
)

// WritesMoreThan reports whether the size of an UpdateExpression, as the service measures it, is more than limit bytes:
// the values that it writes, regardless of the item, plus a cost for each clause. A path operand counts with its names,
// not with its value.
func (u *Update) WritesMoreThan(limit int) bool {
	bound := largestNodeSize * (len(u.nodes) + len(u.steps))
	for i := range u.steps {
		bound += len(u.steps[i].Name)
	}
	for i := range u.nodes {
		bound += 2 * len(u.nodes[i].value) // a value's size is at most twice its stored form
	}
	return bound > limit && u.writtenSize() > limit
}

func (u *Update) writtenSize() int {
	size := updateSize
	for i := range u.actions {
		a := &u.actions[i]
		size -= targetStepSize // not for the first step
		for _, s := range u.target(*a) {
			size += targetStepSize + s.size()
		}
		switch a.section {
		case tokenRemove, tokenDelete:
			size += removalSize
		default:
			size += assignmentSize + u.operandSize(&u.nodes[a.operand])
		}
	}
	return size
}

// operandSize returns the size of an operand of SET or ADD.
func (u *Update) operandSize(n *node) int {
	size := 0
	switch n.op {
	case opValue:
		return n.value.Size()
	case opPath:
		size = pathSize
		for _, s := range u.path(n.span) {
			size += pathStepSize + s.size()
		}
		return size
	case opPlus:
		size = plusSize
	case opMinus:
		size = minusSize
	case opListAppend:
		size = listAppendSize
	case opIfNotExists:
		size = ifNotExistsSize
	}
	first, second, _ := u.operands(n)
	return size + u.operandSize(first) + u.operandSize(second)
}

// size returns the length of the step's name, or of its index in decimal.
func (s Step) size() int {
	if s.Name != "" {
		return len(s.Name)
	}
	return len(strconv.Itoa(s.Index))
}
