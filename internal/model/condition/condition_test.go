package condition

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestConditions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`pk = "ana"`:                             `#n0 = :v0 | #n0=pk | :v0=ana`,
		`pk = 'a"\'b' and sk begins_with "2026"`: `#n0 = :v0 AND begins_with(#n1, :v1) | #n0=pk #n1=sk | :v0=a"'b :v1=2026`,
		`begins_with(sk, "x") and sk <> ""`:      `begins_with( #n0 , :v0 ) AND #n0 <> :v1 | #n0=sk | :v0=x :v1=`,
		`a.b[0].c >= -1.5e3`:                     `#n0.#n1[0].#n2 >= :v0 | #n0=a #n1=b #n2=c | :v0=-1.5e3`,
		`size(name) between 1 and 5`:             `size( #n0 ) BETWEEN :v0 AND :v1 | #n0=name | :v0=1 :v1=5`,
		"`a b`=true or not status in (1,null)":   `#n0 = :v0 OR NOT #n1 IN ( :v1 , :v2 ) | #n0=a b #n1=status | :v0=true :v1=1 :v2=null`,
		`id, order-no`:                           `#n0 , #n1 | #n0=id #n1=order-no |`,
		`size > 1`:                               `#n0 > :v0 | #n0=size | :v0=1`,
		`(a.b begins_with "x")`:                  `( begins_with(#n0.#n1, :v0) ) | #n0=a #n1=b | :v0=x`,
	} {
		var e Expressions
		got, err := e.Condition(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if shown := *got + " |" + e.shown(); shown != want {
			t.Errorf("%s:\n got %s\nwant %s", text, shown, want)
		}
	}
	for _, text := range []string{`a = "b`, "a = ?", "`a"} {
		if got, err := new(Expressions).Condition(text); err == nil {
			t.Errorf("%s: %s", text, *got)
		}
	}
	if got, err := new(Expressions).Condition(" "); got != nil || err != nil {
		t.Errorf("an empty condition: %v %v", got, err)
	}
}

// shown returns the placeholders with their names and values.
func (e *Expressions) shown() string {
	var out strings.Builder
	for i := range len(e.Names) {
		fmt.Fprintf(&out, " #n%d=%s", i, e.Names[fmt.Sprintf("#n%d", i)])
	}
	out.WriteString(" |")
	for i := range len(e.Values) {
		text := "null"
		switch v := e.Values[fmt.Sprintf(":v%d", i)].(type) {
		case *types.AttributeValueMemberS:
			text = v.Value
		case *types.AttributeValueMemberN:
			text = v.Value
		case *types.AttributeValueMemberBOOL:
			text = fmt.Sprint(v.Value)
		}
		fmt.Fprintf(&out, " :v%d=%s", i, text)
	}
	return out.String()
}

func FuzzCondition(f *testing.F) {
	f.Add(`a.b[0] = "x" and c begins_with 'y' or not size(d) in (1, 2)`)
	f.Fuzz(func(t *testing.T, text string) {
		var e Expressions
		got, err := e.Condition(text)
		if err != nil || got == nil {
			return
		}
		for placeholder := range e.Values {
			if !strings.Contains(*got, placeholder) {
				t.Fatalf("%s lacks %s", *got, placeholder)
			}
		}
	})
}
