package resources

import (
	"encoding/base64"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/auth"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// checkEncryptionKey checks a client encryption key. How the key is wrapped is up to the SDK.
func checkEncryptionKey(v doc.Value) *wire.Error {
	wrapped, with := v.Field("wrappedDataEncryptionKey"), v.Field("keyWrapMetadata")
	_, err := base64.StdEncoding.DecodeString(wrapped.Str())
	switch {
	case wrapped.Str() == "":
		return wire.MissingProperties("wrappedDataEncryptionKey")
	case with.Kind() != doc.Map:
		return wire.MissingProperties("keyWrapMetadata")
	case err != nil:
		return wire.InvalidInput("The wrappedDataEncryptionKey must be in base64.")
	}
	return engine.CheckEncryptionAlgorithm(v)
}

// checkScript checks a script from a client. A body that does not compile is accepted: as in the service, the error
// comes when the script runs.
func checkScript(v doc.Value) *wire.Error {
	if v.Field("body").Kind() != doc.Text {
		return wire.MissingProperties("body")
	}
	return nil
}

// checkTrigger checks a trigger: its type and its operation. The portal and the SDKs write these words in different
// cases.
func checkTrigger(v doc.Value) *wire.Error {
	if err := checkScript(v); err != nil {
		return err
	}
	for name, words := range map[string]string{"triggerType": "pre post",
		"triggerOperation": "all create update delete replace upsert"} {
		word := v.Field(name)
		if word.Kind() != doc.Text {
			return wire.MissingProperties(name)
		}
		if !wire.IsWordIn(word.Str(), words) {
			return wire.InvalidInput("The property %s has the value %q; it may be one of: %s.", name, word.Str(), words)
		}
	}
	return nil
}

// checkChild checks a child resource from a client.
func checkChild(a *operation.Account, k wire.Kind, v doc.Value) *wire.Error {
	switch k {
	case wire.KindPermission:
		return auth.CheckPermission(a, v)
	case wire.KindClientEncryptionKey:
		return checkEncryptionKey(v)
	case wire.KindTrigger:
		return checkTrigger(v)
	case wire.KindStoredProcedure, wire.KindUDF:
		return checkScript(v)
	}
	return nil
}
