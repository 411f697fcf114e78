Feature: Users have access to their own phones only
  Only the bearer token identifies the caller. Another user's phone looks like one that does not exist, a bad request
  names its field and stores nothing, and the service has no more permissions than its access patterns need.

  @PE-R4.others @PE-R7.all
  Scenario: Users list and delete only their own phones
    Given "ana" has registered "anas-phone"
    When "bob" lists the phones that get pushes
    Then there are none
    When "bob" deletes all phones
    Then the request succeeds
    When "ana" lists the phones that get pushes
    Then they are "anas-phone"

  @PE-R4.refused
  Scenario: A token expires
    Given "ana" has registered "anas-phone"
    When "ana" keeps using a token that was valid for 5 minutes
    Then the credential is refused

  @PE-R3.times
  Scenario: Times are ISO 8601 in UTC
    Given "ana" has registered "anas-phone"
    When "ana" looks at "anas-phone"
    Then the response's "registeredAt" is "{now}"
    And the response's "updatedAt" is "{now}"
    And the response's "expiresAt" is "{seconds in 90 days}"
