package cloudwatch

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
)

const xmlNamespace = "http://monitoring.amazonaws.com/doc/2010-08-01/"

func (c *queryCodec) encode(operation, requestID string, out any) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<%sResponse xmlns="%s">`, operation, xmlNamespace)
	v := reflect.Indirect(reflect.ValueOf(out))
	if v.NumField() > 0 {
		element(&b, operation+"Result", func() { appendXML(&b, v) })
	}
	fmt.Fprintf(&b, `<ResponseMetadata><RequestId>%s</RequestId></ResponseMetadata></%sResponse>`, requestID, operation)
	return b.Bytes(), nil
}

func (c *queryCodec) encodeError(requestID string, e *Error) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<ErrorResponse xmlns="%s"><Error><Type>%s</Type><Code>%s</Code><Message>`, xmlNamespace,
		e.fault(), e.Code)
	escape(&b, e.Message)
	fmt.Fprintf(&b, `</Message></Error><RequestId>%s</RequestId></ErrorResponse>`, requestID)
	return b.Bytes()
}

func (c *queryCodec) header(h http.Header, _ *Error) { h.Set("Content-Type", "text/xml") }

func element(b *bytes.Buffer, name string, inner func()) {
	b.WriteString("<" + name + ">")
	inner()
	b.WriteString("</" + name + ">")
}

// escape writes a text. Characters that XML does not allow become U+FFFD. Writing to a buffer does not fail.
func escape(b *bytes.Buffer, text string) { _ = xml.EscapeText(b, []byte(text)) }

// appendXML writes a value without its own element: a structure's members each in their element, a list's in <member>,
// a map's in <entry>.
func appendXML(b *bytes.Buffer, v reflect.Value) {
	if t, ok := v.Interface().(Time); ok {
		b.WriteString(t.Format("2006-01-02T15:04:05.000Z"))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		appendXML(b, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); !field.IsZero() {
				element(b, v.Type().Field(i).Name, func() { appendXML(b, field) })
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			element(b, "member", func() { appendXML(b, v.Index(i)) })
		}
	case reflect.Map:
		appendXMLMap(b, v)
	case reflect.String:
		escape(b, v.String())
	case reflect.Float64:
		b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func appendXMLMap(b *bytes.Buffer, v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(x, y reflect.Value) int { return bytes.Compare([]byte(x.String()), []byte(y.String())) })
	for _, key := range keys {
		element(b, "entry", func() {
			element(b, "key", func() { escape(b, key.String()) })
			element(b, "value", func() { appendXML(b, v.MapIndex(key)) })
		})
	}
}
