Feature: Clients show a key or a session
  A key is made by the administrator and shown once. A session is short, and ends with its key.

  @VR-P9.session
  Scenario: A session is the client's whose key opened it
    Given "acme" opens the session "s1"
    When the session "s1" opens a case
    Then it is created
    And the answer's "clientId" is "{client acme}"

  @VR-P9.secret
  Scenario: A secret is shown once
    Given "acme" opens the session "s1"
    When the administrator lists the API keys
    Then the answer says "{key id of acme}"
    And the answer does not show "{key of acme}"

  @VR-P9.hour
  Scenario: A session ends after an hour, by the clock
    Given "acme" opens the session "s1"
    When 3599 seconds pass
    And the session "s1" lists its cases
    Then the request succeeds
    When 1 second passes
    And the session "s1" lists its cases
    Then the credential is refused

  @VR-P9.ended
  Scenario: A session that was ended is refused
    Given "acme" opens the session "s1"
    When the session "s1" is ended
    Then the request succeeds
    When the session "s1" lists its cases
    Then the credential is refused
    And "acme" lists its cases
    And the request succeeds

  @VR-P9.revoked
  Scenario: A revoked key is refused, and its sessions with it
    Given "acme" opens the session "s1"
    When the key of "acme" is revoked
    And "acme" lists its cases
    Then the credential is refused
    When the session "s1" lists its cases
    Then the credential is refused

  @VR-P9.access
  Scenario: A session is opened by a key alone
    Given "acme" opens the session "s1"
    When the session "s1" opens another session
    Then it is refused as a bad request
