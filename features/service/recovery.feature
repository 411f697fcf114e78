Feature: Backups and point-in-time recovery
  Data that was deleted by mistake can be restored from a backup or, with point-in-time recovery, to any second of the
  last 35 days. A restore creates a new table, without some settings of the source.

  @SV-R1.second @needs:commands
  Scenario: A table is restored to the second before a bad deployment
    Given an emulator
    And a table "orders" with the key "id"
    And point-in-time recovery is enabled for the table "orders"
    And the item {"id": "7", "state": "paid"} is put into "orders"
    And the item {"id": "8", "state": "paid"} is put into "orders"
    When 3 days pass
    And this moment is saved as "the deploy"
    And the item {"id": "7"} of "orders" is deleted
    And the item {"id": "8", "state": "undefined"} is put into "orders"
    And the item {"id": "9", "state": "undefined"} is put into "orders"
    And 20 minutes pass
    And "orders" is restored into "rescued" as it was 1 second before "the deploy"
    Then the table "rescued" holds
      | {"id": "7", "state": "paid"} |
      | {"id": "8", "state": "paid"} |
    And the table "orders" holds
      | {"id": "8", "state": "undefined"} |
      | {"id": "9", "state": "undefined"} |

  @SV-R1.expired @needs:commands
  Scenario: A restore includes items that have expired since
    Given an emulator
    And a table "sessions" with the key "id"
    And the items of "sessions" expire by "until"
    And point-in-time recovery is enabled for the table "sessions"
    And this moment is saved as "the login"
    And an item "7" that expires in 60 seconds is put into "sessions"
    When 1 hour passes
    And the item {"id": "7"} of "sessions" is read
    Then there is no such item
    When "sessions" is restored into "earlier" as it was 0 seconds after "the login"
    And 1 hour passes
    Then the table "earlier" holds 1 item
    When the item {"id": "7"} of "earlier" is read consistently
    Then it has the id "7"

  @SV-R1.window @SV-R1.enabled @needs:commands
  Scenario: A restore outside the recovery window is refused
    Given an emulator
    And a table "orders" with the key "id"
    And this moment is saved as "the start"
    When "orders" is restored into "copy" as it was 0 seconds after "the start"
    Then it is refused with PointInTimeRecoveryUnavailableException
    When 1 hour passes
    And point-in-time recovery is enabled for the table "orders"
    And "orders" is restored into "copy" as it was 0 seconds after "the start"
    Then it is refused with InvalidRestoreTimeException because "must be within EarliestRestorableDateTime"
    When 1 hour passes
    And this moment is saved as "now"
    And "orders" is restored into "copy" as it was 299 seconds before "now"
    Then it is refused with InvalidRestoreTimeException
    When "orders" is restored into "copy" as it was 300 seconds before "now"
    Then it succeeds
    When "orders" is restored into "copy" as it was 300 seconds before "now"
    Then it is refused with TableAlreadyExistsException

  @SV-R2.indexes @SV-R2.settings @needs:commands
  Scenario: A restored table has the indexes of its source, but not its other settings
    Given an emulator
    And a table "orders" with the key "id" and the index "by-city" on "city"
    And the table "orders" gets a stream of KEYS_ONLY
    And the items of "orders" expire by "until"
    And point-in-time recovery is enabled for the table "orders"
    And the item {"id": "7", "city": "Oslo"} is put into "orders"
    When 10 minutes pass
    And "orders" is restored into "copy" at the latest restorable time
    Then the index "by-city" of "copy" holds 1 item
    And the table "copy" has neither a stream nor a time to live nor point-in-time recovery

  @SV-R2.others @needs:commands
  Scenario: A table is restored with other capacity and without its index
    Given an emulator
    And a table "orders" with the key "id" and the index "by-city" on "city"
    And the item {"id": "7", "city": "Oslo"} is put into "orders"
    And a backup "nightly" of "orders"
    When the backup "nightly" is restored into "cheap" with 1 read and 1 write a second and no index
    Then the table "cheap" is PROVISIONED and has no index
    And the table "cheap" holds
      | {"id": "7", "city": "Oslo"} |

  @SV-R3.outlives @SV-R3.moment @needs:commands
  Scenario: A backup outlives its table
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "7", "state": "paid"} is put into "orders"
    And a backup "nightly" of "orders"
    And the item {"id": "7", "state": "undefined"} is put into "orders"
    When the table "orders" is deleted
    And 365 days pass
    And the backup "nightly" is restored into "orders"
    Then the table "orders" holds
      | {"id": "7", "state": "paid"} |
    When the backup "nightly" is deleted
    And the backup "nightly" is restored into "copy"
    Then it is refused with BackupNotFoundException

  @SV-R3.moment @needs:commands
  Scenario: A backup contains no later writes
    Given an emulator
    And a table "orders" with the key "id" and the index "by-city" on "city"
    And the item {"id": "7", "city": "Oslo"} is put into "orders"
    And a backup "nightly" of "orders"
    When the item {"id": "7", "city": "Turku"} is put into "orders"
    And the item {"id": "8", "city": "Turku"} is put into "orders"
    And the backup "nightly" is restored into "copy"
    Then the table "copy" holds
      | {"id": "7", "city": "Oslo"} |
    And the index "by-city" of "copy" holds 1 item
    And the table "orders" holds
      | {"id": "7", "city": "Turku"} |
      | {"id": "8", "city": "Turku"} |

  @SV-R4.left @SV-R4.kept @SV-R4.ends @needs:commands
  Scenario: A table that was deleted by mistake is restored from its system backup
    Given an emulator
    And a table "orders" with the key "id"
    And point-in-time recovery is enabled for the table "orders"
    And the item {"id": "7", "state": "paid"} is put into "orders"
    When the table "orders" is deleted
    And 34 days pass
    And the system backup of "orders" is deleted
    Then it is refused with ValidationException because "It will automatically expire"
    When the system backup of "orders" is restored into "orders"
    Then the table "orders" holds
      | {"id": "7", "state": "paid"} |
    When 1 day passes
    And the system backup of "orders" is restored into "copy"
    Then it is refused with BackupNotFoundException
