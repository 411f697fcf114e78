package wire

// The forms of JSON that clients ask for.
const (
	FormText   = "JsonText"
	FormBinary = "CosmosBinary"
)

// Form is what headers make of a request.
type Form string

const (
	NoForm    Form = ""
	QueryForm Form = "query"
	PlanForm  Form = "plan"
	BatchForm Form = "batch"
)
