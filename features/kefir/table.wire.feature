Feature: All data is in one table
  Users, batches, events, reminders and devices share a table. Its schema is locked as documented, with two additional
  indexes.

  @KF-O1.table @KF-D10
  Scenario: The table has the documented key and index, plus two indexes and an expiry
    Then there are the tables "kefir-app-dev-table" and no other
    And table "kefir-app-dev-table" has the key "PK, SK"
    And table "kefir-app-dev-table" has the index "GSI1" on "GSI1PK, GSI1SK" with every attribute
    And table "kefir-app-dev-table" has 3 indexes
    And items of table "kefir-app-dev-table" expire by "ttl"
    And the table is on demand and encrypted by the store's own key

  @KF-O1.locked
  Scenario: The documented schema version is unchanged, and the current one is compatible with it
    Then the schema's documented version is "1.0.0" and has its locked checksum
    And the schema's current version is "1.2.0" and has its locked checksum
    And data of the documented version can be served by the current version

  @KF-O1.again
  Scenario: Creating the kefir table again changes nothing
    Given "ana" has started the batch "ginger"
    When the tables are created again
    Then table "kefir-app-dev-table" holds 1 item

  @KF-R6
  Scenario: Events, users and devices never appear in the index
    Given "ana" has a kitchen of 1 batch with 2 notes and a reminder each
    And "ana" bottles "anas batch 1"
    Then table "kefir-app-dev-table" holds 7 items
    And the index "GSI1" has 2 entries
    And every entry of the index "GSI1" is a batch or a reminder
    And the index "GSI2" has 1 entry
    And every entry of the index "GSI2" is a batch
    And the index "GSI3" has 1 entry
    And every entry of the index "GSI3" is a reminder

  @KF-D6
  Scenario: A batch of 2 KB costs four write units, while the document estimates one
    When a batch of 2048 bytes is put into the table as documented
    Then it consumed 2 units of the index "GSI1"
    And it consumed 4 units
    And 50000 such writes consume 200000 units a month, while the document estimates 50000

  @KF-D6
  Scenario: A batch of 1 KB costs two write units, because the index is written too
    When a batch of 1024 bytes is put into the table as documented
    Then it consumed 1 unit of the index "GSI1"
    And it consumed 2 units
