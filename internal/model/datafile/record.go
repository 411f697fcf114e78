package datafile

// Record is what a file says about one item.
type Record struct {
	Item   Item
	Delete bool   // the file says that there is no such item; Item has only the attributes of its key
	Table  string // of a file with several tables: the item's
	File   string // of an export's file; empty for the only file
	Line   int64  // of the record's beginning, from 1
	Raw    []byte // the record as it is in the file, without its line end
}

// Invalid returns the error that refuses the record for this reason.
func (r *Record) Invalid(reason string) *Invalid {
	return &Invalid{File: r.File, Line: r.Line, Reason: reason, Raw: r.Raw}
}

// Format is the format of a file.
type Format string

// The formats. Import detects them by the file's content.
const (
	JSON          Format = "json"           // plain JSON: lines, or an array
	DynamoJSON    Format = "dynamodb-json"  // {"Item": {…}} or {…}: lines, or an array
	CSV           Format = "csv"            // with a header
	Workbench     Format = "workbench"      // a model of NoSQL Workbench, with tables and sample data
	DescribeTable Format = "describe-table" // the description of a table
	AWSExport     Format = "aws-export"     // a folder of ExportTableToPointInTime
)

// Formats returns all formats.
func Formats() []Format { return []Format{JSON, DynamoJSON, CSV, Workbench, DescribeTable, AWSExport} }

// decodeRecord reads the text of one record in JSON.
func decodeRecord(text []byte, format Format, markers bool) (Record, error) {
	if format == JSON {
		item, err := ParseJSON(text, markers)
		return Record{Item: item}, err
	}
	return parseWrapped(text)
}

// parseWrapped reads an item in DynamoDB JSON: bare, {"Item": {…}} as in exports, {"PutRequest": {"Item": {…}}} as in
// requests, or a change of an incremental export: {"Keys": {…}, "NewImage": {…}}, where no image means no item.
func parseWrapped(text []byte) (r Record, err error) {
	members, err := topMembers(text)
	if err != nil {
		return r, err
	}
	if item := members["Item"]; item != nil && len(members) == 1 && !isTyped(item) {
		r.Item, err = ParseDynamoJSON(item)
		return r, err
	}
	if put := members["PutRequest"]; put != nil && len(members) == 1 && !isTyped(put) {
		return parseWrapped(put)
	}
	if keys := members["Keys"]; keys != nil && members["Metadata"] != nil && !isTyped(keys) {
		image := members["NewImage"]
		if r.Delete = image == nil; r.Delete {
			image = keys
		}
		r.Item, err = ParseDynamoJSON(image)
		return r, err
	}
	r.Item, err = ParseDynamoJSON(text)
	return r, err
}

// topMembers returns the members of an object; the names of bare items are among them too.
func topMembers(text []byte) (map[string][]byte, error) {
	d := newDecoder(text, false)
	members := map[string][]byte{}
	err := d.object("the item", func(name string) error {
		value, err := d.ReadValue()
		members[name] = append([]byte(nil), value...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return members, d.end()
}

// isTyped reports whether a text is a value in DynamoDB JSON, {"S": "text"}, and so an attribute rather than an item.
func isTyped(text []byte) bool {
	d := newDecoder(text, false)
	if d.PeekKind() != '{' {
		return false
	}
	_, err := d.dynamoValue("")
	return err == nil && d.end() == nil
}
