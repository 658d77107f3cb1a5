/** Questions near the sample corpus that it does not answer, each with what the scripted web says of it. */
export const webQuestions: readonly { question: string; facts: readonly string[] }[] = [
  {
    question: 'What is the top speed of the workboat Petrel in knots?',
    facts: ['The workboat Petrel reaches a top speed of 21 knots when it is not towing.'],
  },
  {
    question: 'How many weeks of parental leave do new fathers get?',
    facts: ['New fathers get eight weeks of parental leave, of which two are at full pay.'],
  },
  {
    question: 'How many decibels does a Heron H60 actuator produce?',
    facts: ['A Heron H60 actuator produces 68 decibels at a distance of one metre.'],
  },
  {
    question: 'Which paint protects the housing of a Heron lock-gate actuator?',
    facts: ['The housing of a Heron lock-gate actuator is protected by a two-part epoxy paint.'],
  },
  {
    question: 'How deep may a Curlew sensor be installed under water?',
    facts: ['A Curlew sensor may be installed up to 30 metres deep under water.'],
  },
  {
    question: 'What is the wind limit for work on a lock gate?',
    facts: ['Work on a lock gate stops at a wind of 12 metres per second, which is the limit.'],
  },
  {
    question: 'How long does a Dunlin D8 penstock controller run on its battery?',
    facts: ['A Dunlin D8 penstock controller runs for 72 hours on its battery.'],
  },
  {
    question: 'What does the pension scheme pay to a widow of an employee?',
    facts: ['The pension scheme pays 60 percent of the pension to the widow of an employee.'],
  },
  {
    question: 'Which bank holidays are engineers on call for?',
    facts: ['Engineers are on call on every bank holiday except the first of January.'],
  },
  {
    question: 'How often are spare parts for Heron actuators counted in the warehouse?',
    facts: ['Spare parts for Heron actuators are counted in the warehouse once in a quarter.'],
  },
  {
    question: 'What is the torque of the mounting bolts of a Curlew sensor?',
    facts: ['The mounting bolts of a Curlew sensor are tightened to a torque of 45 Nm.'],
  },
  {
    question: 'Who insures goods that a customer returns to the company?',
    facts: ['Goods that a customer returns to the company are insured by the customer on the way.'],
  },
];
