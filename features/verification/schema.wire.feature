Feature: The table has the documented schema, on the wire
  The store's tables as the service creates them.

  @VR-O1.indexes
  Scenario: The table has three indexes
    Then there are the tables "AuthBridgeTable" and no other
    And table "AuthBridgeTable" has the key "PK, SK"
    And table "AuthBridgeTable" has the index "GSI1" on "GSI1PK, GSI1SK" with every attribute
    And table "AuthBridgeTable" has the index "GSI2" on "GSI2PK, GSI2SK" with every attribute
    And table "AuthBridgeTable" has the index "GSI3" on "GSI3PK, GSI3SK" with every attribute
    And table "AuthBridgeTable" has 3 indexes
    And items of table "AuthBridgeTable" expire by "ttl"
    And the schema is version "1.0.0", by its checksum

  @VR-O1.description @needs:commands
  Scenario: The table is on demand, encrypted by the AWS managed key and recoverable for 35 days
    When the tables are created from their description
    Then the table is on demand, encrypted by the AWS managed key, with recovery for 35 days
