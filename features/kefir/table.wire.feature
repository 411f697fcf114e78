Feature: One table for the whole kitchen
  Users, batches, events, reminders and devices share a table. Its schema is locked as the document has it, and two indexes are
  added to it.

  @KF-O1.table @KF-D10
  Scenario: The table has its documented keys and index, and two indexes and an expiry that were added
    Then there are the tables "kefir-app-dev-table" and no other
    And table "kefir-app-dev-table" has the key "PK, SK"
    And table "kefir-app-dev-table" has the index "GSI1" on "GSI1PK, GSI1SK" with every attribute
    And table "kefir-app-dev-table" has 3 indexes
    And items of table "kefir-app-dev-table" expire by "ttl"
    And the table is on demand and has the key of the store

  @KF-O1.locked
  Scenario: The documented version is kept as it was locked, and the present one goes on from it
    Then the schema's documented version is "1.0.0" and has its locked checksum
    And the schema's present version is "1.2.0" and has its locked checksum
    And what was written under the documented version may be served under the present one

  @KF-O1.again
  Scenario: Making the kefir table again changes nothing
    Given "ana" has started the batch "ginger"
    When the tables are made again
    Then table "kefir-app-dev-table" holds 1 item

  @KF-R6
  Scenario: Events, users and devices never appear in the index
    Given "ana" has a kitchen of 1 batches with 2 notes and a reminder each
    And "ana" bottles "anas batch 1"
    Then table "kefir-app-dev-table" holds 7 items
    And the index "GSI1" has 2 entries
    And every entry of the index "GSI1" is a batch or a reminder
    And the index "GSI2" has 1 entry
    And every entry of the index "GSI2" is a batch
    And the index "GSI3" has 1 entry
    And every entry of the index "GSI3" is a reminder

  @KF-D6
  Scenario: A batch of 2 KB costs four write units where the document's estimate counts one
    When a batch of 2048 bytes is put into the table as documented
    Then it consumed 2 units of the index "GSI1"
    And it consumed 4 units
    And 50000 such writes are 200000 units a month, where the document counts 50000

  @KF-D6
  Scenario: A batch of 1 KB would cost two, for the index is written as well
    When a batch of 1024 bytes is put into the table as documented
    Then it consumed 1 unit of the index "GSI1"
    And it consumed 2 units
