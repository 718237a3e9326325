// Graphs, by capture and node by node: their work is done in order where they are launched.
#pragma once

#include "quiz_textures.h"

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2
};
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
};

namespace quiz {
struct GraphNode {
    NodeKind kind;
    Work *work;  // lives as long as the program: an instantiated graph may have it, too
    GraphNode **before;
    size_t befores;
    GraphNode *next;
    int depth;
};
struct Graph {
    GraphNode *first = nullptr, *last = nullptr;
    size_t count = 0;
    GraphNode *add(NodeKind kind, Work *work, GraphNode *const *before = nullptr, size_t n = 0) {
        GraphNode *made = new GraphNode{kind, work, nullptr, 0, nullptr, 0};
        depend(made, before, n);
        (last ? last->next : first) = made;
        last = made;
        ++count;
        return made;
    }
    static void depend(GraphNode *node, GraphNode *const *before, size_t n) {
        if (n == 0) return;
        size_t room = (node->befores + n) * sizeof *node->before;
        node->before = (GraphNode **)realloc((void *)node->before, room);
        memcpy((void *)(node->before + node->befores), (const void *)before, n * sizeof *before);
        node->befores += n;
    }
};
inline void keep(Capture &capture, NodeKind kind, Work *work) {
    GraphNode *last = capture.graph->last;
    capture.graph->add(kind, work, &last, last != nullptr);
}
struct GraphStep {
    const GraphNode *of;
    NodeKind kind;
    Work *work;
};
struct GraphExec {
    GraphStep *steps;
    size_t count;
    void run() const {
        for (size_t at = 0; at < count; ++at)
            if (steps[at].work != nullptr) steps[at].work->run();
    }
};
// Order the nodes so that each comes after those that it depends on, else as they were added.
inline GraphExec *order(const Graph &graph) {
    GraphExec *made = new GraphExec{new GraphStep[graph.count + 1], 0};
    for (GraphNode *each = graph.first; each; each = each->next) each->depth = 0;
    while (made->count < graph.count) {
        size_t known = made->count;
        for (GraphNode *each = graph.first; each; each = each->next) {
            bool ready = each->depth == 0;
            for (size_t at = 0; at < each->befores; ++at) ready = ready && each->before[at]->depth;
            if (!ready) continue;
            each->depth = 1;
            made->steps[made->count++] = {each, each->kind, each->work};
        }
        if (made->count == known) return nullptr;  // a cycle
    }
    return made;
}
}  // namespace quiz

typedef quiz::Graph *cudaGraph_t;
typedef quiz::GraphNode *cudaGraphNode_t;
typedef quiz::GraphExec *cudaGraphExec_t;
struct cudaGraphExecUpdateResultInfo {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
};
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};

// Capture

static inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                                 cudaStreamCaptureMode = cudaStreamCaptureModeGlobal) {
    if ((uintptr_t)stream <= 2) return quiz::note(cudaErrorStreamCaptureUnsupported);
    if (quiz::capture_of(stream) != nullptr) return quiz::note(cudaErrorInvalidValue);
    stream->capture = new quiz::Capture{new quiz::Graph, true, true, stream->flags};
    quiz::last_capture() = stream->capture;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    quiz::Capture *capture = quiz::capture_of(stream);
    *graph = nullptr;
    if (capture == nullptr) return quiz::note(cudaErrorInvalidValue);
    capture->active = false;
    if (!capture->valid) return quiz::note(cudaErrorStreamCaptureInvalidated);
    *graph = capture->graph;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    quiz::Capture *capture = quiz::capture_of(stream);
    *status = capture == nullptr ? cudaStreamCaptureStatusNone
              : capture->valid   ? cudaStreamCaptureStatusActive
                                 : cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
}

// Nodes

static inline cudaError_t cudaGraphCreate(cudaGraph_t *made, unsigned = 0) {
    *made = new quiz::Graph;
    return cudaSuccess;
}
namespace quiz {
inline Work *work_of(const cudaKernelNodeParams &asked, const char *file, int line) {
    Work *work = nullptr;
    static void *none = nullptr;
    configure(asked.gridDim, asked.blockDim, asked.sharedMemBytes, nullptr, file, line);
    next_launch().arguments = asked.kernelParams ? asked.kernelParams : &none;
    next_launch().kept = &work;
    ((void (*)())asked.func)();
    return work;
}
inline Work *work_of(const cudaMemcpy3DParms &asked) {
    return make_work([asked] { (void)cudaMemcpy3DAsync(&asked); });
}
inline Work *work_of(const cudaMemsetParams &asked) {
    return make_work([asked] {
        size_t size = asked.elementSize, pitch = asked.height > 1 ? asked.pitch : size * asked.width;
        char *row = reach(asked.dst, pitch * (asked.height - 1) + size * asked.width);
        if (size == 1 || row == nullptr) {
            (void)fill(asked.dst, pitch, (int)asked.value, size * asked.width, asked.height);
            return;
        }
        (void)fill(asked.dst, pitch, 0, size * asked.width, asked.height);
        for (size_t y = 0; y < asked.height; ++y)
            for (size_t x = 0; x < asked.width; ++x) memcpy(row + y * pitch + x * size, &asked.value, size);
    });
}
inline Work *work_of(const cudaHostNodeParams &asked) {
    return make_work([asked] {
        wait_for(host_waits_stream, turn().stream);
        asked.fn(asked.userData);
    });
}
inline cudaError_t add(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *before, size_t n,
                       NodeKind kind, Work *work) {
    if (work == nullptr && kind != empty_node) return note(cudaErrorInvalidValue);
    *made = graph->add(kind, work, before, n);
    return cudaSuccess;
}
inline cudaError_t change(cudaGraphExec_t exec, cudaGraphNode_t node, Work *work) {
    for (size_t at = 0; work != nullptr && at < exec->count; ++at)
        if (exec->steps[at].of == node) {
            exec->steps[at].work = work;
            return cudaSuccess;
        }
    return note(cudaErrorInvalidValue);
}
}  // namespace quiz
static inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                 const cudaGraphNode_t *before, size_t n,
                                                 const cudaKernelNodeParams *asked,
                                                 const char *file = __builtin_FILE(),
                                                 int line = __builtin_LINE()) {
    return quiz::add(made, graph, before, n, quiz::kernel_node, quiz::work_of(*asked, file, line));
}
static inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                 const cudaGraphNode_t *before, size_t n,
                                                 const cudaMemcpy3DParms *asked) {
    return quiz::add(made, graph, before, n, quiz::copy_node, quiz::work_of(*asked));
}
static inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *made, cudaGraph_t graph,
                                                   const cudaGraphNode_t *before, size_t n, void *to,
                                                   const void *from, size_t size, cudaMemcpyKind kind) {
    auto work = quiz::make_work([=] { (void)quiz::copy(to, size, from, size, size, 1, kind); });
    return quiz::add(made, graph, before, n, quiz::copy_node, work);
}
static inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                 const cudaGraphNode_t *before, size_t n,
                                                 const cudaMemsetParams *asked) {
    return quiz::add(made, graph, before, n, quiz::set_node, quiz::work_of(*asked));
}
static inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                               const cudaGraphNode_t *before, size_t n,
                                               const cudaHostNodeParams *asked) {
    return quiz::add(made, graph, before, n, quiz::host_node, quiz::work_of(*asked));
}
static inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                const cudaGraphNode_t *before, size_t n) {
    return quiz::add(made, graph, before, n, quiz::empty_node, nullptr);
}
static inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                     const cudaGraphNode_t *before, size_t n,
                                                     cudaGraph_t child) {
    quiz::GraphExec *inner = quiz::order(*child);
    auto work = inner == nullptr ? nullptr : quiz::make_work([inner] { inner->run(); });
    return quiz::add(made, graph, before, n, quiz::graph_node, work);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t n) {
    for (size_t at = 0; at < n; ++at) quiz::Graph::depend(to[at], &from[at], 1);
    return cudaSuccess;
}
static inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    size_t at = 0;
    if (nodes != nullptr)
        for (quiz::GraphNode *each = graph->first; each && at < *count; each = each->next)
            nodes[at++] = each;
    *count = nodes != nullptr ? at : graph->count;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *kind) {
    *kind = (cudaGraphNodeType)node->kind;
    return cudaSuccess;
}

// Whole graphs

static inline cudaError_t cudaGraphClone(cudaGraph_t *made, cudaGraph_t graph) {
    quiz::GraphExec *ordered = quiz::order(*graph);
    if (ordered == nullptr) return quiz::note(cudaErrorInvalidValue);
    *made = new quiz::Graph;
    for (size_t at = 0; at < ordered->count; ++at) {
        quiz::GraphNode *last = (*made)->last;
        (*made)->add(ordered->steps[at].kind, ordered->steps[at].work, &last, last != nullptr);
    }
    return cudaSuccess;
}
static inline cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph,
                                               unsigned long long = 0) {
    *made = graph == nullptr ? nullptr : quiz::order(*graph);
    return *made == nullptr ? quiz::note(cudaErrorInvalidValue) : cudaSuccess;
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph,
                                               cudaGraphNode_t *, char *, size_t) {
    return cudaGraphInstantiate(made, graph);
}
static inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t graph,
                                                        unsigned long long = 0) {
    return cudaGraphInstantiate(made, graph);
}
static inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    if (exec == nullptr) return quiz::note(cudaErrorInvalidValue);
    return quiz::issue(stream, quiz::graph_node, [exec] {
        exec->run();
        return quiz::state().sticky;
    });
}
static inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }
static inline cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                           const cudaKernelNodeParams *asked,
                                                           const char *file = __builtin_FILE(),
                                                           int line = __builtin_LINE()) {
    return quiz::change(exec, node, quiz::work_of(*asked, file, line));
}
static inline cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                           const cudaMemcpy3DParms *asked) {
    return quiz::change(exec, node, quiz::work_of(*asked));
}
static inline cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                           const cudaMemsetParams *asked) {
    return quiz::change(exec, node, quiz::work_of(*asked));
}
// An instantiated graph takes the work of another one of the same kinds of nodes.
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphExecUpdateResultInfo *info) {
    quiz::GraphExec *other = quiz::order(*graph);
    bool same = other != nullptr && other->count == exec->count;
    for (size_t at = 0; same && at < exec->count; ++at)
        same = exec->steps[at].kind == other->steps[at].kind;
    if (info != nullptr)
        *info = {same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr,
                 nullptr};
    if (!same) return quiz::note(cudaErrorGraphExecUpdateFailure);
    for (size_t at = 0; at < exec->count; ++at) exec->steps[at].work = other->steps[at].work;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *,
                                              cudaGraphExecUpdateResult *result) {
    cudaGraphExecUpdateResultInfo info;
    cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    *result = info.result;
    return error;
}
