Feature: Notifications reach a user's active phones, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given a push service

  @PE-P4.push @PE-O8.hidden
  Scenario: A push goes only to the user's own phones, on the wire
    Given "ana" has registered "anas-phone"
    And "ana" has registered "anas-tablet"
    And "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And "bob" has registered "bobs-phone"
    When the operator pushes to "ana"
    Then the store received a Query of "photoeditor-dev-device-tokens" where "userId = 'ana'", filtered by "isActive = true AND expiresAt > {seconds in 0 days}"

  @PE-P4.dead
  Scenario: A phone without the app is deactivated and gets no more pushes, on the wire
    Given "ana" has registered "anas-phone"
    And the app is removed from "anas-phone"
    When the operator pushes to "ana"
    And the operator pushes to "ana"
    Then the store received an UpdateItem of "photoeditor-dev-device-tokens" where "deviceId = 'anas-phone' AND userId = 'ana'", setting "SET isActive = false, updatedAt = '{now}'", only if "attribute_exists(userId) AND expoPushToken = '{token of anas-phone}' AND updatedAt = '{registration of anas-phone}'"

  @PE-O8.reasons @PE-O8.agrees @PE-O8.consistency @PE-O8.hidden
  Scenario: The diagnosis shows for each phone whether it gets pushes, and if not, why
    Given "ana" has registered "a-silent-phone"
    And 90 days pass
    And "ana" has registered "b-old-phone"
    And "ana" logs out on "b-old-phone"
    And "ana" has registered "c-good-phone"
    And "ana" has a phone "d-odd-phone" with the token "apns:0123"
    And "ana" has a phone "e-lasting-phone" without an expiry
    When the operator sends GET /users/ana/diagnosis
    Then the diagnosis is:
      | a-silent-phone  | expired         |
      | b-old-phone     | inactive        |
      | c-good-phone    | gets pushes     |
      | d-odd-phone     | malformed_token |
      | e-lasting-phone | no_expiry       |
    And the response does not contain "{token of c-good-phone}"
    And the response does not contain "apns:0123"
    And the store received a Query of "photoeditor-dev-device-tokens" where "userId = 'ana'", consistent
    When the operator pushes to "ana"
    Then the push reached "c-good-phone"

  @PE-O8.reasons
  Scenario: A phone can have more than one reason
    Given "ana" has registered "anas-phone"
    And "ana" logs out on "anas-phone"
    And 90 days pass
    When the operator sends GET /users/ana/diagnosis
    Then the diagnosis is:
      | anas-phone | inactive, expired |

  @PE-O8.reasons
  Scenario: A user without a phone has an empty diagnosis
    When the operator sends GET /users/nobody/diagnosis
    Then the response's "devices" is "[]"
