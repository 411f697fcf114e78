Feature: The table is as documented, and where it has to be
  One table holds everything, in Cape Town alone, and is spoken to by TLS 1.2 or newer.

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

  @VR-R9
  Scenario Outline: The service does not start in <region> <endpoint>
    When the service is to start in "<region>" at "<endpoint>"
    Then it does not start and says "af-south-1"

    Examples:
      | region     | endpoint                                 |
      | eu-west-1  |                                          |
      | us-east-1  |                                          |
      | af-south-2 |                                          |
      | af-south-1 | https://dynamodb.eu-west-1.amazonaws.com |
      | eu-west-1  | https://dynamodb.eu-west-1.amazonaws.com |
      | af-south-1 | https://dynamodb.us-east-1.api.aws       |

  @VR-R9
  Scenario: The service starts in Cape Town, and on a desk that is in no region
    When the service is to start in "af-south-1"
    Then it starts
    When the service is to start in "af-south-1" at "https://dynamodb.af-south-1.amazonaws.com"
    Then it starts
    When the service is to start in "us-east-1" at "http://127.0.0.1:8000"
    Then it starts

  @VR-R10
  Scenario: TLS 1.2 or newer is served, older is refused
    Then a client that speaks TLS 1.0 is refused
    And a client that speaks TLS 1.1 is refused
    And a client that speaks TLS 1.2 is served
    And a client that speaks TLS 1.3 is served
