// Package geo implements the GeoJSON shapes that Azure Cosmos DB supports, and the computations of its spatial
// functions.
//
// Geography is on the WGS-84 ellipsoid, where the shortest path between two points is taken to be an arc of a great
// ellipse, in a plane through the centre: this reproduces the figures that Microsoft publishes for ST_DISTANCE and
// ST_AREA. Seen from the centre, such arcs are great circles, so S2 can compute intersection and containment. Geometry
// is in the plane.
package geo
