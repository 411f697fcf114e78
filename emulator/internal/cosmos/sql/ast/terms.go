package ast

// ScoreTerms returns the search terms of a call of FullTextScore: the arguments after the text or, in older queries,
// the elements of an array there.
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
