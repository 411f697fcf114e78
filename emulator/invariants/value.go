package invariants

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"gopkg.in/yaml.v3"
)

// Number is a decimal number with all its digits.
type Number struct{ value *big.Rat } // nil: not a number

// UnmarshalYAML implements yaml.Unmarshaler. A value that is no number is reported when the file is checked.
func (n *Number) UnmarshalYAML(node *yaml.Node) error {
	if tag := node.ShortTag(); tag == "!!int" || tag == "!!float" {
		n.value = parseNumber(node.Value)
	}
	return nil
}

// A number of DynamoDB has at most 38 digits and an exponent of at most 130.
const (
	maxNumber   = 200
	maxExponent = 130
)

// parseNumber returns a decimal number exactly, or nil if it is none of DynamoDB's.
func parseNumber(text string) *big.Rat {
	digits, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(digits) > maxNumber || strings.Trim(digits, "0123456789.+-") != "" {
		return nil
	}
	if e, err := strconv.Atoi(exponent); exponent != "" && (err != nil || e < -maxExponent || e > maxExponent) {
		return nil
	}
	if r, ok := new(big.Rat).SetString(text); ok {
		return r
	}
	return nil
}

// keyText returns a value in a form that is the same for two values exactly if they are equal, for texts, numbers,
// binary and booleans.
func keyText(v types.AttributeValue) string {
	if n, ok := v.(*types.AttributeValueMemberN); ok {
		if r := parseNumber(n.Value); r != nil {
			return decimal(r)
		}
	}
	return textOf(v)
}

// textOf returns a value for people. Of lists, maps and sets it names only the type.
func textOf(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return fmt.Sprintf("%q", v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("0x%x", v.Value)
	case *types.AttributeValueMemberBOOL:
		return fmt.Sprint(v.Value)
	case *types.AttributeValueMemberNULL:
		return "null"
	case *types.AttributeValueMemberL:
		return fmt.Sprintf("list of %d", len(v.Value))
	case *types.AttributeValueMemberM:
		return fmt.Sprintf("map of %d", len(v.Value))
	}
	return "set"
}

// decimal returns a decimal number exactly, without an exponent.
func decimal(r *big.Rat) string {
	digits, _ := r.FloatPrec()
	return r.FloatString(digits)
}
