Feature: The table is as documented, and where it has to be, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @VR-O1.indexes
  Scenario: One table with three indexes
    Then there are the tables "AuthBridgeTable" and no other
    And table "AuthBridgeTable" has the key "PK, SK"
    And table "AuthBridgeTable" has the index "GSI1" on "GSI1PK, GSI1SK" with every attribute
    And table "AuthBridgeTable" has the index "GSI2" on "GSI2PK, GSI2SK" with every attribute
    And table "AuthBridgeTable" has the index "GSI3" on "GSI3PK, GSI3SK" with every attribute
    And table "AuthBridgeTable" has 3 indexes
    And items of table "AuthBridgeTable" expire by "ttl"
    And the schema is version "1.0.0", by its checksum

  @VR-O1.description @needs:commands
  Scenario: On demand, encrypted by AWS's key, recovered to any second of 35 days
    When the tables are made as their description says
    Then the table is on demand, encrypted by the key that AWS manages, and recovers 35 days
