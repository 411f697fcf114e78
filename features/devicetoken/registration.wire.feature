Feature: Phones register for notifications, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @PE-P1.first @PE-R2.silent
  Scenario: A phone registers for the first time, on the wire
    When "ana" registers "anas-phone"
    Then the store received a PutItem of "photoeditor-dev-device-tokens", only if "attribute_not_exists(userId) OR attribute_not_exists(deviceId)"
    And the store received no UpdateItem
    And the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | expoPushToken | '{token of anas-phone}' |
      | platform      | 'ios'                   |
      | registeredAt  | '{now}'                 |
      | updatedAt     | '{now}'                 |
      | isActive      | true                    |
      | expiresAt     | {seconds in 90 days}    |

  @PE-P1.again @PE-P2.renewed
  Scenario: A phone that registers again is refreshed and keeps its registration date, on the wire
    Given "ana" has registered "anas-phone"
    When 3 days pass
    And "ana" registers "anas-phone" with a new token
    Then the store received, in this order:
      | PutItem of "photoeditor-dev-device-tokens", only if "attribute_not_exists(userId) OR attribute_not_exists(deviceId)" |
      | UpdateItem of "photoeditor-dev-device-tokens" where "deviceId = 'anas-phone' AND userId = 'ana'", setting "SET expoPushToken = '{token of anas-phone}', updatedAt = '{now}', isActive = true, expiresAt = {seconds in 90 days}", only if "attribute_exists(userId)" |
    And the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | expoPushToken | '{token of anas-phone}'       |
      | registeredAt  | '{registration of anas-phone}' |
      | updatedAt     | '{now}'                       |

  @PE-P1.again
  Scenario: A phone keeps the platform of its first registration, on the wire
    Given "ana" has registered "anas-phone"
    When "ana" registers "anas-phone" as an android phone
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | platform | 'ios' |

  @PE-P2.renewed
  Scenario: Opening the app refreshes the phone, on the wire
    Given "ana" has registered "anas-phone"
    When 10 days pass
    And "ana" opens the app on "anas-phone", which has a new token
    Then the store received an UpdateItem of "photoeditor-dev-device-tokens" where "deviceId = 'anas-phone' AND userId = 'ana'", setting "SET expoPushToken = '{token of anas-phone}', updatedAt = '{now}', isActive = true, expiresAt = {seconds in 90 days}", only if "attribute_exists(userId)"

  @PE-P2.unknown
  Scenario: Refreshing an unknown phone creates no item
    When "ana" opens the app on "anas-phone"
    Then it is not found
    And table "photoeditor-dev-device-tokens" holds no items

  @PE-R1.one
  Scenario: A phone that registers many times at once is registered once, on the wire
    When "ana" registers "anas-phone" 16 times at once, each with a token of its own
    Then 1 of the responses is 201 and the others are 200
    And table "photoeditor-dev-device-tokens" holds 1 item

  @PE-R1.newest
  Scenario: Only the newest token of a phone is stored
    Given "ana" has registered "anas-phone"
    When "ana" registers "anas-phone" with a new token
    And "ana" registers "anas-phone" with a new token
    And "ana" opens the app on "anas-phone", which has a new token
    Then table "photoeditor-dev-device-tokens" holds 1 item
    And the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | expoPushToken | '{token of anas-phone}' |

  @PE-P1.deleted
  Scenario: A phone that is deleted during its registration is registered in the end
    Given "ana" has registered "anas-phone"
    When "ana" registers "anas-phone", which is deleted while it is being refreshed
    Then the response is 201
    And the store received, in this order:
      | PutItem of "photoeditor-dev-device-tokens"    |
      | UpdateItem of "photoeditor-dev-device-tokens" |
      | PutItem of "photoeditor-dev-device-tokens"    |
    And table "photoeditor-dev-device-tokens" holds 1 item

  @PE-P1.first
  Scenario: A phone that two people share is registered for both
    Given "ana" has registered "shared-tablet"
    When "bob" registers "shared-tablet"
    Then the response is 201
    And table "photoeditor-dev-device-tokens" holds 2 items
