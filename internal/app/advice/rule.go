package advice

// Rule is something to look for.
type Rule struct {
	ID     string // in lower case with hyphens, such as scan-for-few; suppressions name it
	Title  string // what it looks for, in a few words
	Source string // the page of AWS's or Azure's documentation that the advice is from
	// watch begins a review: the returned watcher sees each request.
	watch func(*Review) watcher
}

// watcher looks for one thing in a review.
type watcher interface {
	// see looks at a request. Requests come in the order of the recording. The request is not changed later.
	see(*Request)
	// conclude returns what was found, in the order of importance.
	conclude() []Finding
}

// Rules returns all rules, in the order in which they are listed and reported.
func Rules() []Rule {
	return []Rule{
		hotKey,
		largeItem,
		unusedIndex,
		projectionTooWide,
		projectionTooNarrow,
		indexHoldsBack,
		growingCollection,
		capacityMode,
		queryNotPointRead,
		crossPartitionQuery,
		largeDocument,
		noETag,
		indexingUnused,
		retryAfter,
		scanForFew,
		filterForFew,
		pageIgnored,
		unprocessedIgnored,
		transactionForOne,
		retryWithoutBackOff,
		countedTwice,
		lostUpdate,
		nPlusOne,
		consistentRead,
		markerWithoutTTL,
		fanOut,
		statementScan,
		countByReading,
	}
}

// Finding is what a rule found, about one table or index.
type Finding struct {
	Rule    string     `json:"rule"`
	Table   string     `json:"table,omitempty"` // or container, as DATABASE/CONTAINER
	Index   string     `json:"index,omitempty"`
	Problem string     `json:"problem"`  // a sentence with figures
	Shown   []Evidence `json:"evidence"` // the first requests that show it, at most maxEvidence
	Times   int        `json:"times"`    // how many requests show it
	// Monthly is what it costs to leave it as it is, in US dollars a month at the rate of the recording; 0 if it costs
	// correctness or time but no money.
	Monthly float64 `json:"monthly"`
	Remedy  string  `json:"remedy"` // what to do: a sentence, followed by a command or code where one helps
	Source  string  `json:"source"` // address of the page that it is from
}

// maxEvidence is the number of requests that a finding shows.
const maxEvidence = 3

// Evidence is a request that shows a problem.
type Evidence struct {
	N         int64  `json:"n"` // number of the request in the recording; 0: it is not a request
	Operation string `json:"operation,omitempty"`
	Text      string `json:"text"` // what is to be seen there
}

// show adds a request that shows the problem.
func (f *Finding) show(r *Request, text string) {
	f.add(Evidence{N: r.N, Operation: r.Operation, Text: text})
}

// add adds the evidence of one more request.
func (f *Finding) add(e Evidence) {
	f.Times++
	if len(f.Shown) < maxEvidence {
		f.Shown = append(f.Shown, e)
	}
}
