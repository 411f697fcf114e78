package index

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// CheckBoundingBoxes checks the bounding boxes of a container's spatial indexes against its geospatial type: Geometry
// requires one, Geography allows none ("Index and query geospatial data in Azure Cosmos DB for NoSQL").
func CheckBoundingBoxes(container doc.Value) *wire.Error {
	space := container.Field("geospatialConfig").Field("type").Str()
	for _, spatial := range container.Field("indexingPolicy").Field("spatialIndexes").Elements() {
		path, box := spatial.Field("path").Str(), spatial.Field("boundingBox")
		boxed := box.Kind() > doc.Null
		switch {
		case space == "Geometry" && !boxed:
			return wire.ServiceError(
				"The spatial index of the path '%s' has no boundingBox, which the geospatial type Geometry requires.", path)
		case space != "Geometry" && boxed:
			return wire.ServiceError(
				"The spatial index of the path '%s' has a boundingBox, which the geospatial type Geography does not allow.", path)
		}
		if err := checkBoundingBox(box); err != nil {
			return err
		}
	}
	return nil
}

// checkBoundingBox checks a bounding box, if present: its corners must be numbers in ascending order.
func checkBoundingBox(box doc.Value) *wire.Error {
	if box.Kind() <= doc.Null {
		return nil
	}
	for _, axis := range []string{"x", "y"} {
		low, high := box.Field(axis+"min"), box.Field(axis+"max")
		if low.Kind() != doc.Numeric || high.Kind() != doc.Numeric || low.Float() >= high.Float() {
			return wire.ServiceError(
				"The boundingBox of a spatial index must have numbers %smin and %smax, the first below the second.", axis, axis)
		}
	}
	return nil
}
