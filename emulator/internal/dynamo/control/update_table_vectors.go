package control

import (
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// checkVectorUpdates checks the changes of vector indexes before it is known what indexes there are. (Message for two
// actions: nubo-db/dynoxide, 2026-08-12; for none: by analogy with global indexes.)
func checkVectorUpdates(updates []VectorIndexUpdateInput) error {
	for _, in := range updates {
		switch {
		case in.Create == nil && in.Delete == nil:
			return wire.ParameterError("One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null")
		case in.Create != nil && in.Delete != nil:
			return wire.ParameterError("Only one vector index action is allowed per VectorIndexUpdate object")
		}
	}
	return nil
}

// updateVectors creates and deletes vector indexes.
func (u *tableUpdate) updateVectors() error {
	if len(u.old.Vectors) > 0 && u.new.BillingMode == engine.Provisioned {
		return ErrVectorsProvisioned() // even if the request deletes them (nubo-db/dynoxide, 2026-08-12)
	}
	for _, in := range u.in.VectorIndexUpdates {
		if in.Create != nil {
			if err := u.createVector((*VectorIndexInput)(in.Create)); err != nil {
				return err
			}
			continue
		}
		name := *in.Delete.IndexName
		at := engine.VectorAt(u.new.Vectors, name)
		if at < 0 {
			return wire.DynamoError("ResourceNotFoundException",
				"Requested resource not found: Index "+name+" for table "+u.old.Name)
		}
		u.new.Vectors = slices.Delete(u.new.Vectors, at, at+1)
		u.removedVectors = append(u.removedVectors, name)
	}
	if len(u.removedVectors) > 0 {
		DropUnusedAttributes(u.new)
	}
	return nil
}

// createVector adds a vector index. AttributeDefinitions need to define only those attributes of its search schema that
// the table does not have yet.
func (u *tableUpdate) createVector(in *VectorIndexInput) error {
	x := in.Definition(0)
	if hasIndex(u.new, x.Name) {
		return errIndexExists()
	}
	defined := slices.Clone(u.new.Attributes)
	for _, a := range attributesOf(u.in.AttributeDefinitions) {
		if !defines(defined, a.AttributeName) {
			defined = append(defined, a)
		}
	}
	if err := checkVectorIndex(x, u.new.Vectors, defined, u.new.BillingMode); err != nil {
		return err
	}
	if len(u.new.Vectors) == maxVectorIndexes {
		return tooManyVectorIndexes()
	}
	for _, e := range x.Schema {
		if !defines(u.new.Attributes, e.AttributeName) {
			u.new.Attributes = append(u.new.Attributes, defined[definitionAt(defined, e.AttributeName)])
		}
	}
	x.ID, x.Backfilling = u.request.Engine.NewID(), true
	u.new.Vectors = append(u.new.Vectors, x)
	u.addedVectors = append(u.addedVectors, x.Name)
	return nil
}

// hasIndex reports whether a table has an index of any kind with that name.
func hasIndex(def *engine.Definition, name string) bool {
	return engine.IndexAt(def.Global, name) >= 0 || engine.IndexAt(def.Local, name) >= 0 ||
		engine.VectorAt(def.Vectors, name) >= 0
}

func errIndexExists() error {
	return wire.ValidationError("Attempting to create an index which already exists")
}

// checkNotVector returns an error for a key of a new global index that is the vector attribute of an index. (Recorded
// by nubo-db/dynoxide, eu-west-2 and us-east-1, 2026-08-12.)
func checkNotVector(def *engine.Definition, keys []engine.KeySchemaElement,
	attributes []engine.AttributeDefinition) error {
	for _, k := range keys {
		for _, v := range def.Vectors {
			if v.Attribute != k.AttributeName {
				continue
			}
			typ := attributes[definitionAt(attributes, k.AttributeName)].AttributeType
			return wire.ParameterError("Attributes cannot be redefined. Please check that your attribute has the same type " +
				"as previously defined. Existing schema: VectorIndexSchema:[VectorAttribute: key{" + v.Attribute + ":L:" +
				strconv.FormatInt(v.Dimensions, 10) + "}] New schema: Schema:[SchemaElement: key{" + k.AttributeName + ":" +
				typ + ":" + k.KeyType + "}]")
		}
	}
	return nil
}

// describeVectors describes the vector indexes during the update: those that are being created and deleted.
func (u *tableUpdate) describeVectors(previous *engine.Table, d *TableDescription) {
	for i := range d.VectorIndexes {
		if x := &d.VectorIndexes[i]; slices.Contains(u.addedVectors, x.IndexName) {
			x.IndexStatus, x.Backfilling, x.ItemCount, x.IndexSizeBytes = engine.Creating, new(bool), 0, 0
		}
	}
	for _, name := range u.removedVectors {
		removed := describeVector(previous, u.old.Vectors[engine.VectorAt(u.old.Vectors, name)])
		removed.IndexStatus = engine.Deleting
		d.VectorIndexes = append(d.VectorIndexes, removed)
	}
}
