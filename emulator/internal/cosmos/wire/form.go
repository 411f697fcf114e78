package wire

// The JSON formats that clients can ask for.
const (
	FormatText   = "JsonText"
	FormatBinary = "CosmosBinary"
)

// Form is the kind of a POST request to a feed, as its headers determine it.
type Form string

const (
	NoForm    Form = ""
	QueryForm Form = "query"
	PlanForm  Form = "plan"
	BatchForm Form = "batch"
)
