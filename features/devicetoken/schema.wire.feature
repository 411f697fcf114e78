Feature: The table has the documented schema
  The document describes one table without an index: on demand, encrypted by a customer managed key, recoverable for
  35 days, with alarms.

  @PE-O1.table @PE-O1.expiry @PE-R5.table
  Scenario: The table has the documented key and expiry
    Then there are the tables "photoeditor-dev-device-tokens" and no other
    And table "photoeditor-dev-device-tokens" has the key "userId, deviceId"
    And table "photoeditor-dev-device-tokens" has no indexes
    And items of table "photoeditor-dev-device-tokens" expire by "expiresAt"

  @PE-O1.table @PE-O1.expiry @PE-O1.encryption @PE-O1.recovery @PE-R5.table @PE-D11 @needs:commands
  Scenario: The table is on demand, encrypted by a customer key and recoverable
    Given an emulator with the documented table, key and alarms
    Then the table is on demand
    And table "photoeditor-dev-device-tokens" has no indexes
    And the table is encrypted by the key "alias/photoeditor-dev", which rotates every 365 days
    And the table can be recovered to any second of 35 days
    And items of table "photoeditor-dev-device-tokens" expire by "expiresAt"

  @PE-D7 @needs:commands
  Scenario: The table has no tags
    Given an emulator with the documented table, key and alarms
    Then the table has no tags

  @PE-R5.patterns
  Scenario: Every access pattern works without an index
    Given "ana" has registered "anas-phone"
    When "ana" registers "anas-phone" with a new token
    And "ana" opens the app on "anas-phone"
    And "ana" looks at "anas-phone"
    Then the response is 200
    When "ana" lists the phones that get pushes
    Then they are "anas-phone"
    And the store received a Query of "photoeditor-dev-device-tokens" where "userId = 'ana'"
    When "ana" logs out on "anas-phone"
    And "ana" deletes "anas-phone"
    Then the response is 204
    And the store never received a Scan
    And table "photoeditor-dev-device-tokens" has no indexes

  @PE-D1.refused
  Scenario: The documented index on a Boolean is refused by the store
    When a table is created with the documented index, on platform and the Boolean isActive
    Then the store refuses it with ValidationException
    When the documented index is added to the table
    Then the store refuses it with ValidationException
    And table "photoeditor-dev-device-tokens" has no indexes

  @PE-D1.sparse
  Scenario: An index on platform and activeAt contains only the active phones
    Given the index of active phones is added
    And the service records since when phones are active
    And "ana" has registered "anas-phone"
    And "bob" has registered "bobs-old-phone"
    And "bob" logs out on "bobs-old-phone"
    And "bob" registers "bobs-phone" as an ios phone
    And "zoe" registers "zoes-phone" as an android phone
    Then the active ios phones are "anas-phone, bobs-phone"
    And the active android phones are "zoes-phone"
    When "bob" opens the app on "bobs-old-phone"
    And "ana" deletes "anas-phone"
    Then the active ios phones are "bobs-old-phone, bobs-phone"

  @PE-D1.optional
  Scenario: Without the migration, phones have no activeAt attribute
    Given "ana" has registered "anas-phone"
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has no "activeAt"

  @PE-D2.writes @needs:commands
  Scenario: Throttled registrations raise the write throttling alarm, not the one of user errors
    Given an emulator with the documented table, key and alarms
    And 2 hours pass
    And every PutItem of "photoeditor-dev-device-tokens" is throttled
    When "ana" tries to register 3 phones
    Then the response is 503
    When 6 minutes pass
    Then CloudWatch counts WriteThrottleEvents of the table
    And CloudWatch counts ThrottledRequests of PutItem on the table
    And CloudWatch counts no UserErrors of the account
    And the alarm "photoeditor-dev-device-tokens-write-throttled" is in ALARM
    And the alarm "photoeditor-dev-user-errors" is in OK

  @PE-D2.reads @needs:commands
  Scenario: Throttled lists raise the read throttling alarm
    Given an emulator with the documented table, key and alarms
    And every Query of "photoeditor-dev-device-tokens" is throttled
    When "ana" lists the phones that get pushes
    Then the response is 503
    When 6 minutes pass
    Then CloudWatch counts ReadThrottleEvents of the table
    And the alarm "photoeditor-dev-device-tokens-read-throttled" is in ALARM
