// Package geo is the shapes of GeoJSON that Azure Cosmos DB knows, and what its spatial functions ask of them.
//
// Geography is on the WGS-84 ellipsoid, where the shortest way between two points is taken to be a great ellipse, an
// arc in a plane through the centre: so the figures that Microsoft publishes for ST_DISTANCE and ST_AREA come out. Such
// arcs are great circles of the points' directions from the centre, so that S2 answers what crosses and what lies
// inside. Geometry is in the plane.
package geo
