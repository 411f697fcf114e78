package datafile

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how many levels deep an item may be nested. DynamoDB allows 32, Cosmos DB 128.
const maxDepth = 200

var errDepth = fmt.Errorf("nested more than %d levels deep", maxDepth)

// decoder reads one JSON text.
type decoder struct {
	*jsontext.Decoder
	markers bool // objects such as {"$stringSet": ["a"]} are sets and binary values
}

func newDecoder(text []byte, markers bool) decoder {
	return decoder{jsontext.NewDecoder(bytes.NewBuffer(text)), markers}
}

// end checks that nothing follows the value.
func (d decoder) end() error {
	if _, err := d.ReadToken(); err == nil {
		return errors.New("more than one JSON value")
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// object reads an object; member reads the value of each member.
func (d decoder) object(what string, member func(name string) error) error {
	if d.PeekKind() != '{' {
		return d.unexpected(what + " is not an object")
	}
	if d.StackDepth() >= maxDepth {
		return errDepth
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		if err := member(name.String()); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// array reads an array; element reads each element.
func (d decoder) array(what string, element func() error) error {
	if d.PeekKind() != '[' {
		return d.unexpected(what + " is not an array")
	}
	if d.StackDepth() >= maxDepth {
		return errDepth
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// unexpected returns the error of a value of another kind, or of the JSON before it.
func (d decoder) unexpected(reason string) error {
	if d.PeekKind() == 0 {
		_, err := d.ReadToken()
		return err
	}
	return errors.New(reason)
}

func (d decoder) text(what string) (string, error) {
	if d.PeekKind() != '"' {
		return "", d.unexpected(what + " is not a string")
	}
	token, err := d.ReadToken()
	return token.String(), err
}

func (d decoder) boolean(what string) (bool, error) {
	if kind := d.PeekKind(); kind != 't' && kind != 'f' {
		return false, d.unexpected(what + " is not true or false")
	}
	token, err := d.ReadToken()
	if err != nil {
		return false, err
	}
	return token.Bool(), nil
}

// texts reads an array of strings that is not empty, each with read.
func (d decoder) texts(what string, read func(string) (string, error)) (all []string, err error) {
	err = d.array(what, func() error {
		text, err := read(what)
		all = append(all, text)
		return err
	})
	if err == nil && len(all) == 0 {
		return nil, fmt.Errorf("the set %s is empty", what)
	}
	return all, err
}

// binary reads a string in base64.
func (d decoder) binary(what string) (string, error) {
	text, err := d.text(what)
	if err != nil {
		return "", err
	}
	return fromBase64(what, text)
}

func fromBase64(what, text string) (string, error) {
	content, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return "", fmt.Errorf("%s is not base64", what)
	}
	return string(content), nil
}
