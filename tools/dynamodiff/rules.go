package main

import (
	"embed"
	"fmt"
	"reflect"
	"regexp"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"gopkg.in/yaml.v3"
)

//go:embed known
var knownFiles embed.FS

// rule is a kind of known differences, with its reason and its source.
type rule struct {
	Operation, Ours, Peer string // patterns; empty: any
	Request               string // of the last request's body; empty: any
	Foreign               bool   // the last request has a member that its operation does not have
	Because, Source       string

	operation, ours, peer, request *regexp.Regexp
}

type rules []*rule

// readRules reads the known differences of a peer.
func readRules(peer string) (rules, error) {
	file := "known/" + peer + ".yaml"
	text, err := knownFiles.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all rules
	if err := yaml.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i, r := range all {
		if r.Because == "" || r.Source == "" {
			return nil, fmt.Errorf("%s: rule %d has no reason or no source", file, i+1)
		}
		for _, p := range []struct {
			compiled **regexp.Regexp
			pattern  string
		}{{&r.operation, r.Operation}, {&r.ours, r.Ours}, {&r.peer, r.Peer}, {&r.request, r.Request}} {
			var err error
			if *p.compiled, err = regexp.Compile(p.pattern); err != nil {
				return nil, fmt.Errorf("%s: rule %d: %w", file, i+1, err)
			}
		}
	}
	return all, nil
}

// find returns the first rule that covers a difference, or nil.
func (all rules) find(d *difference) *rule {
	last := d.history[len(d.history)-1]
	for _, r := range all {
		if r.operation.MatchString(last.operation) && r.ours.MatchString(d.ours.String()) &&
			r.peer.MatchString(d.peer.String()) && r.request.MatchString(fmt.Sprint(last.body)) &&
			(!r.Foreign || hasForeignMember(last)) {
			return r
		}
	}
	return nil
}

// inputs are the inputs of the operations in the SDK's model.
var inputs = map[string]reflect.Type{
	"PutItem": reflect.TypeFor[dynamodb.PutItemInput](), "UpdateItem": reflect.TypeFor[dynamodb.UpdateItemInput](),
	"DeleteItem": reflect.TypeFor[dynamodb.DeleteItemInput](), "GetItem": reflect.TypeFor[dynamodb.GetItemInput](),
	"Query": reflect.TypeFor[dynamodb.QueryInput](), "Scan": reflect.TypeFor[dynamodb.ScanInput](),
	"BatchGetItem":       reflect.TypeFor[dynamodb.BatchGetItemInput](),
	"BatchWriteItem":     reflect.TypeFor[dynamodb.BatchWriteItemInput](),
	"TransactWriteItems": reflect.TypeFor[dynamodb.TransactWriteItemsInput](),
}

// hasForeignMember reports whether a request has a member that its operation does not have.
func hasForeignMember(r request) bool {
	body, _ := r.body.(object)
	for name := range body {
		if input, known := inputs[r.operation]; known {
			if _, has := input.FieldByName(name); !has {
				return true
			}
		}
	}
	return false
}
