package ast

// ScoreTerms are the terms that a call of FullTextScore looks for: its arguments behind the text, or, as older queries
// have it, the elements of an array there.
func ScoreTerms(call *Call) []Expr {
	terms := []Expr{}
	for _, arg := range call.Args[1:] {
		if list, ok := arg.(*Array); ok {
			terms = append(terms, list.Elements...)
			continue
		}
		terms = append(terms, arg)
	}
	return terms
}
