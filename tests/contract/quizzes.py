"""The contract of an API whose operations are procedures: no path has an identifier."""

QUIZZES = """\
paths:
  /rpc/CreateQuiz:
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewQuiz'}, example: {name: One, mark: 7}}}
      responses: &quiz
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/QuizResult'}}}}
        '401': {description: No credential}
        '404': {description: No such quiz}
        '409': {description: Open already}
  /rpc/GetQuiz:
    post:
      requestBody: &reference
        content: {application/json: {schema: {$ref: '#/components/schemas/QuizReference'}}}
      responses: *quiz
  /rpc/UpdateQuiz:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/QuizChange'}}}}
      responses: *quiz
  /rpc/PublishQuiz:
    post: {description: Sets the state to `open`., requestBody: *reference, responses: *quiz}
  /rpc/DeleteQuiz:
    post: {requestBody: *reference, responses: {'204': {description: Deleted}, '404': {description: No such quiz}}}
  /rpc/ListQuizzes:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {state: {type: string}}}}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Quizzes'}}}}
  /rpc/GetVersion:
    post: {responses: {'200': {description: ok}}}
security: [{bearer: []}]
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
  schemas:
    QuizId: {type: string, pattern: '^quiz-[0-9a-f]{8}$'}
    NewQuiz:
      type: object
      required: [name]
      additionalProperties: false
      properties: {name: {type: string}, mark: {type: integer}}
    QuizChange:
      type: object
      required: [quizId]
      additionalProperties: false
      properties: {quizId: {$ref: '#/components/schemas/QuizId'}, name: {type: string}, mark: {type: integer}}
    QuizReference: {type: object, required: [quizId], properties: {quizId: {$ref: '#/components/schemas/QuizId'}}}
    Quiz:
      type: object
      required: [quizId, name, state]
      properties:
        quizId: {$ref: '#/components/schemas/QuizId'}
        name: {type: string}
        mark: {type: integer}
        state: {type: string, enum: [draft, open]}
    Quizzes:
      type: object
      required: [quizzes]
      properties: {quizzes: {type: array, items: {$ref: '#/components/schemas/Quiz'}}}
    QuizResult: {type: object, required: [quiz], properties: {quiz: {$ref: '#/components/schemas/Quiz'}}}
"""
