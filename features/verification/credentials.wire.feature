Feature: Clients authenticate with a key or a session, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @VR-P9.key @VR-D9
  Scenario: An API key is found by its id
    Given the client "acme"
    When "acme" lists its cases
    Then the store received, in this order:
      | GetItem of "AuthBridgeTable" where "PK = 'APIKEY#{key id of acme}' AND SK = 'META'", consistent                     |
      | Query of index "GSI1" of "AuthBridgeTable" where "GSI1PK = 'CLIENT#{client acme}'", descending |

  @VR-P9.session
  Scenario: A session is found by its id and checked together with its key
    Given "acme" opens the session "s1"
    When the session "s1" opens a case
    Then the store received, in this order:
      | GetItem of "AuthBridgeTable" where "PK = 'SESSION#{session s1}' AND SK = 'META'", consistent    |
      | GetItem of "AuthBridgeTable" where "PK = 'APIKEY#{key id of acme}' AND SK = 'META'", consistent |

  @VR-P9.secret
  Scenario: A secret is shown once and stored nowhere
    Given "acme" opens the session "s1"
    When the administrator lists the API keys
    Then no table contains "{secret of the key of acme}"
    And no table contains "{secret of s1}"

  @VR-P9.access
  Scenario: A session can only be opened with an API key, on the wire
    Given "acme" opens the session "s1"
    When the session "s1" opens another session
    Then the response names the field "header.X-API-Key"

  @VR-P9.access @VR-R6.actions
  Scenario Outline: With <credential> it is refused: <request>
    Given the case "c1" of "acme" is submitted
    When <request> with <credential>
    Then the response is <status>
    And nothing was written
    And the response does not contain "example.com"

    Examples:
      | request                                             | credential                    | status |
      | a case is opened                                    | no credential                 | 401    |
      | a case is opened                                    | a key cut short               | 401    |
      | a case is opened                                    | a key with another secret     | 401    |
      | a case is opened                                    | a key in capitals             | 401    |
      | a case is opened                                    | a key of nobody               | 401    |
      | a case is opened                                    | a key as a session            | 401    |
      | a case is opened                                    | a reviewer's token            | 401    |
      | the cases are listed                                | a key with another secret     | 401    |
      | "c1" is read                                        | no credential                 | 401    |
      | "c1" is read                                        | the administrator's token     | 401    |
      | "c1" is submitted                                   | a key with another secret     | 401    |
      | a document of "c1" is announced                     | no credential                 | 401    |
      | a session is opened                                 | a key with another secret     | 401    |
      | "c1" is moved                                       | no credential                 | 401    |
      | "c1" is moved                                       | a client's key                | 401    |
      | "c1" is moved                                       | the administrator's token     | 401    |
      | "c1" is moved                                       | an expired token              | 401    |
      | "c1" is moved                                       | a token of another issuer     | 401    |
      | "c1" is moved                                       | a token without the role      | 403    |
      | "c1" is moved                                       | a token about an address      | 403    |
      | the cases of a day are listed                       | a client's key                | 401    |
      | the cases of a day are listed                       | a token without the role      | 403    |
      | the audit trail is read                             | a reviewer's token            | 401    |
      | the audit trail is read                             | a client's key                | 401    |
      | the audit trail is read                             | a wrong administrator's token | 401    |
      | a key is created                                    | a reviewer's token            | 401    |
      | a key is created                                    | no credential                 | 401    |
      | the key of contact data is rotated                  | a client's key                | 401    |
      | the key of contact data is rotated                  | a reviewer's token            | 401    |
      | "c1" is completed                                   | a key with another secret     | 401    |
      | the documents of "c1" are listed                    | no credential                 | 401    |
      | the documents of "c1" are listed                    | a reviewer's token            | 401    |
      | "omang_front" is confirmed                          | no credential                 | 401    |
      | "omang_front" is confirmed                          | a key with another secret     | 401    |
      | a new upload address for "omang_front" is requested | no credential                 | 401    |
      | the session is ended                                | no credential                 | 401    |
      | "c1" is reviewed                                    | no credential                 | 401    |
      | "c1" is reviewed                                    | a client's key                | 401    |
      | "c1" is reviewed                                    | the administrator's token     | 401    |
      | "c1" is reviewed                                    | an expired token              | 401    |
      | "c1" is reviewed                                    | a token without the role      | 403    |
      | the documents of "c1" are reviewed                  | no credential                 | 401    |
      | the documents of "c1" are reviewed                  | a client's key                | 401    |
      | the documents of "c1" are reviewed                  | a token without the role      | 403    |
      | "omang_front" is marked                             | no credential                 | 401    |
      | "omang_front" is marked                             | a client's key                | 401    |
      | "omang_front" is marked                             | the administrator's token     | 401    |
      | "omang_front" is marked                             | a token without the role      | 403    |
      | the keys are listed                                 | a client's key                | 401    |
      | the keys are listed                                 | a reviewer's token            | 401    |
      | the revocation of the key of "acme" is requested    | no credential                 | 401    |
      | the revocation of the key of "acme" is requested    | a client's key                | 401    |
      | the revocation of the key of "acme" is requested    | a reviewer's token            | 401    |

  @VR-P9.created
  Scenario: A new key replaces nothing
    When the administrator sends POST /api-keys with {"clientId": "client_acme"}
    Then the response is 201
    And the store received a transaction of:
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |

  @VR-P9.created
  Scenario: A new session replaces nothing
    When "acme" opens the session "s1"
    Then the response is 201
    And the store received a transaction of:
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |

  @VR-P9.access
  Scenario: A client whose key cannot be checked is not let in
    Given "acme" has opened the case "c1"
    When the store refuses the next read
    And "acme" looks at "c1"
    Then the response is 503
    And the response does not contain "example.com"
