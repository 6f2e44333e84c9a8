// What Lambda's runtime gives to functions that stream. An answer is passed on once it is whole.
{
  const { Writable } = require('node:stream');
  globalThis.awslambda = {
    HttpResponseStream: {
      from: (stream, head) => Object.assign(stream, { head }),
    },
    streamifyResponse: (handler) => async (event, context) => {
      const pieces = [];
      const stream = new Writable({
        write(piece, _encoding, done) {
          pieces.push(piece);
          done();
        },
      });
      await handler(event, stream, context);
      const body = Buffer.concat(pieces);
      if (stream.head === undefined) return JSON.parse(body.toString());
      // Lambda sends the head with the first write.
      if (pieces.length === 0) throw new Error('Nothing was written.');
      const answer = { ...stream.head, body: body.toString('base64'), isBase64Encoded: true };
      // What is streamed may be longer than other responses.
      return Object.defineProperty(answer, Symbol.for('streamed'), { value: true });
    },
  };
}
