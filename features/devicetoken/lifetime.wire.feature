Feature: Phones expire after 90 days, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given "ana" has registered "anas-phone"

  @PE-R2.silent @PE-D3
  Scenario: Pushes stop when the phone expires, although the item still exists
    When 89 days pass
    And 86399 seconds pass
    And "ana" lists the phones that get pushes
    Then they are "anas-phone"
    When 1 second passes
    And "ana" lists the phones that get pushes
    Then there are none
    And table "photoeditor-dev-device-tokens" holds 1 item
    When the phones of "ana" are queried as documented
    Then the store finds "anas-phone"

  @PE-D3
  Scenario: The query's filter is the one of the runbook
    When "ana" lists the phones that get pushes
    Then the store received a Query of "photoeditor-dev-device-tokens" where "userId = 'ana'", filtered by "isActive = true AND expiresAt > {seconds in 0 days}"

  @PE-R2.removed @needs:move-time @needs:private-store
  Scenario: The item is gone after 90 days
    When 89 days pass
    Then table "photoeditor-dev-device-tokens" holds 1 item
    When 3 days pass
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-R2.silent @PE-D4
  Scenario: Opening the app extends the expiry to 90 days from then, on the wire
    When 60 days pass
    And "ana" opens the app on "anas-phone"
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | registeredAt | '{registration of anas-phone}' |
      | expiresAt    | {seconds in 90 days}           |

  @PE-P5.inactive @PE-R2.silent
  Scenario: A logout does not extend the expiry
    When 10 days pass
    And "ana" logs out on "anas-phone"
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | expiresAt | {seconds in 80 days} |
