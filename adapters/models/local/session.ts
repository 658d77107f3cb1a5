import { InferenceSession } from 'onnxruntime-node';

/** Opens an ONNX model for use on one thread. */
export function openSession(modelPath: string): Promise<InferenceSession> {
  return InferenceSession.create(modelPath, {
    // A second intra-op thread spins while it waits, which costs more than it brings on busy cores.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // A pattern is kept for every length of text: 100 MB more after some hundred texts, for the same speed.
    enableMemPattern: false,
    // Failures are thrown; the runtime need not print them too.
    logSeverityLevel: 4,
  });
}
