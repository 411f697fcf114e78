package index

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// spatialTypes are the shape types of spatial indexes ("Spatial indexes").
var spatialTypes = []string{"Point", "LineString", "Polygon", "MultiPolygon"}

// withSpatialTypes adds the missing types to each spatial index that has some: the service indexes all types.
func withSpatialTypes(indexes doc.Value) doc.Value {
	list := []doc.Value{}
	for _, spatial := range indexes.Elements() {
		types := spatial.Field("types").Elements()
		for _, name := range spatialTypes {
			if len(types) > 0 && !slices.ContainsFunc(types, func(v doc.Value) bool { return v.Str() == name }) {
				types = append(slices.Clip(types), doc.String(name))
			}
		}
		list = append(list, spatial.With("types", doc.Array(types...)))
	}
	return doc.Array(list...)
}

// checkSpatial checks the paths and the types of the spatial indexes.
func checkSpatial(v doc.Value) *wire.Error {
	for _, spatial := range v.Elements() {
		text := spatial.Field("path").Str()
		if _, err := parseSpatialPath(text); err != nil {
			return badIndexPath(text, err)
		}
		if spatial.Field("types").Len() == 0 {
			return wire.ServiceError("The spatial data types array cannot be empty. Assign at least one spatial type for the 'types' array for the path '%s'.",
				text)
		}
		for _, kind := range spatial.Field("types").Elements() {
			if !slices.Contains(spatialTypes, kind.Str()) {
				return wire.ServiceError("The spatial type '%s' of the path '%s' is invalid.", kind.Str(), text)
			}
		}
	}
	return nil
}

// parseSpatialPath parses the path of a spatial index, with or without a wildcard at its end.
func parseSpatialPath(text string) ([]doc.PathStep, error) {
	p, err := doc.ParseIndexPath(text)
	if err != nil {
		p, err = doc.ParseValuePath(text)
	}
	return p.Steps, err
}

// The maximum dimensions of vectors ("Vector indexes").
const (
	maxFlatDimensions = 505
	maxDimensions     = 4096
)

// checkVectors checks the vector policy of a container, and that it contains the paths of the vector indexes.
func checkVectors(container doc.Value) *wire.Error {
	dimensions := map[string]float64{}
	for _, embedding := range container.Field("vectorEmbeddingPolicy").Field("vectorEmbeddings").Elements() {
		path, err := normalizedPath(embedding)
		if err != nil {
			return err
		}
		n := embedding.Field("dimensions").Float()
		switch {
		case dimensions[path] != 0:
			return duplicatePath(embedding, "Vector Embedding")
		case n < 1 || n > maxDimensions || n != float64(int(n)):
			return wire.ServiceError(
				"The Vector Embedding Policy has an invalid number of dimensions for the path '%s': it must be from 1 to %d.",
				path, maxDimensions)
		case !wire.IsOneOf(embedding.Field("dataType").Str(), "float32", "float16", "int8", "uint8"):
			return wire.ServiceError("The Vector Embedding Policy has an invalid DataType:%s for the path '%s'.",
				embedding.Field("dataType").Str(), path)
		case !wire.IsOneOf(embedding.Field("distanceFunction").Str(), "cosine", "dotproduct", "euclidean"):
			return wire.ServiceError("The Vector Embedding Policy has an invalid DistanceFunction:%s for the path '%s'.",
				embedding.Field("distanceFunction").Str(), path)
		}
		dimensions[path] = n
	}
	return checkVectorIndexes(container.Field("indexingPolicy").Field("vectorIndexes"), dimensions)
}

func checkVectorIndexes(v doc.Value, dimensions map[string]float64) *wire.Error {
	known := map[string]bool{}
	for _, entry := range v.Elements() {
		path, err := normalizedPath(entry)
		if err != nil {
			return err
		}
		kind, n := entry.Field("type").Str(), dimensions[path]
		switch {
		case known[path]:
			return duplicatePath(entry, "Vector Indexing")
		case !wire.IsOneOf(kind, "flat", "quantizedFlat", "diskANN"):
			return wire.ServiceError("The Vector Indexing Policy has an invalid Index Type:%s for the path '%s'.", kind, path)
		case n == 0:
			return wire.ServiceError("The Vector Indexing Policy's path::%s not matching in Embedding's path.",
				entry.Field("path").Str())
		case strings.EqualFold(kind, "flat") && n > maxFlatDimensions:
			return wire.ServiceError("The Vector Indexing Policy's Index Type::flat can be used with embeddings of up to %d dimensions, the path '%s' has %d.",
				maxFlatDimensions, path, int(n))
		}
		known[path] = true
	}
	return nil
}

// duplicatePath returns the error for a duplicate path in a policy (VectorIndexTest of the Java SDK).
func duplicatePath(entry doc.Value, policy string) *wire.Error {
	return wire.ServiceError("Duplicate Path :%s found in %s Policy.", entry.Field("path").Str(), policy)
}

func normalizedPath(v doc.Value) (string, *wire.Error) {
	text := v.Field("path").Str()
	p, err := doc.ParseValuePath(text)
	if err != nil {
		return "", badIndexPath(text, err)
	}
	return doc.PathText(p.Steps), nil
}

// languages are the languages of full-text policies ("Full-text search in Azure Cosmos DB for NoSQL", multi-language
// support). English may also be given by its number (NonStreamingQueryPolicy.spec.ts of @azure/cosmos).
var languages = []string{"en-US", "1033", "fr-FR", "es-ES", "de-DE", "it-IT", "pt-BR", "pt-PT"}

// checkFullText checks the full-text policy of a container, and that it contains the paths of the full-text indexes.
func checkFullText(container doc.Value) *wire.Error {
	policy := container.Field("fullTextPolicy")
	if err := checkLanguage(policy.Field("defaultLanguage")); err != nil {
		return err
	}
	known := map[string]bool{}
	for _, entry := range policy.Field("fullTextPaths").Elements() {
		path, err := normalizedPath(entry)
		if text := entry.Field("path").Str(); err != nil && text != "" {
			return wire.ServiceError("The Full Text Policy contains an invalid Path: %s", text)
		}
		if err != nil {
			return err
		}
		if err := checkLanguage(entry.Field("language")); err != nil {
			return err
		}
		known[path] = true
	}
	for _, entry := range container.Field("indexingPolicy").Field("fullTextIndexes").Elements() {
		path, err := normalizedPath(entry)
		if err != nil {
			return err
		}
		if !known[path] {
			return wire.ServiceError("The path of the Full Text Index '%s' does not match any path in the Full Text Policy.",
				path)
		}
	}
	return nil
}

// checkLanguage checks a language of a full-text policy; undefined means the default. The messages are from
// FullTextIndexTest of the Java SDK and test_full_text_policy of azure-cosmos.
func checkLanguage(v doc.Value) *wire.Error {
	switch {
	case !v.Defined() || wire.IsOneOf(v.Str(), languages...):
		return nil
	case v.Kind() != doc.Text:
		return wire.ServiceError("The Full Text Policy contains invalid syntax.")
	}
	return wire.ServiceError("The Full Text Policy contains an unsupported language %s. Supported languages are: \"%s\"",
		v.Str(), strings.Join(languages, `", "`))
}
