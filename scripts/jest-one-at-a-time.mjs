// JavaScript, because jest-runner's types declare its default export one level too deep for ESM.
import TestRunner from 'jest-runner';

/** Jest's runner with one worker process, for files that would take the machine from each other. */
export default class OneAtATimeRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
}
