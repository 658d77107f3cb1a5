/**
 * ONNX Runtime from 1.29 tells Microsoft of every process and session, and keeps an id of the machine, unless this is set before it is loaded
 * (https://github.com/microsoft/onnxruntime/pull/27379). Only the main thread's variables reach a native library.
 */
export function forbidTelemetry(): void {
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
}
